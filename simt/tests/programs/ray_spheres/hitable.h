#ifndef HITABLEH
#define HITABLEH

#include "vec3.h"

class ray
{
  public:
    __device__ ray()
    {
    }
    __device__ ray(const vec3 &a, const vec3 &b)
    {
        A = a;
        B = b;
    }
    __device__ vec3 point_at_parameter(float t) const
    {
        return A + t * B;
    }

    vec3 A;
    vec3 B;
};

struct hit_record {
    float t;
    vec3 p;
    vec3 normal;
};

class hitable
{
  public:
    __device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const = 0;
    __device__ virtual ~hitable()
    {
    }
};

class sphere : public hitable
{
  public:
    __device__ sphere()
    {
    }
    __device__ sphere(vec3 cen, float r) : center(cen), radius(r){};
    __device__ virtual bool hit(const ray &r, float tmin, float tmax, hit_record &rec) const;
    vec3 center;
    float radius;
};

__device__ bool sphere::hit(const ray &r, float t_min, float t_max, hit_record &rec) const
{
    vec3 oc = r.A - center;
    float a = dot(r.B, r.B);
    float b = dot(oc, r.B);
    float c = dot(oc, oc) - radius * radius;
    float discriminant = b * b - a * c;
    if (discriminant > 0) {
        float temp = (-b - sqrtf(discriminant)) / a;
        if (temp < t_max && temp > t_min) {
            rec.t = temp;
            rec.p = r.point_at_parameter(rec.t);
            rec.normal = (rec.p - center) / radius;
            return true;
        }
    }
    return false;
}

class hitable_list : public hitable
{
  public:
    __device__ hitable_list(hitable **l, int n)
    {
        list = l;
        list_size = n;
    }
    __device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const
    {
        hit_record temp_rec;
        bool hit_anything = false;
        float closest_so_far = t_max;
        for (int i = 0; i < list_size; i++) {
            if (list[i]->hit(r, t_min, closest_so_far, temp_rec)) {
                hit_anything = true;
                closest_so_far = temp_rec.t;
                rec = temp_rec;
            }
        }
        return hit_anything;
    }
    hitable **list;
    int list_size;
};

#endif

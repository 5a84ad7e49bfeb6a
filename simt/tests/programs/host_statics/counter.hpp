#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>

/* One of its kind, made at first use. */
class Counters
{
  public:
    static Counters &get()
    {
        static Counters only;
        return only;
    }
    void add(const std::string &name, int n)
    {
        std::lock_guard<std::mutex> hold(mutex);
        counts[name] += n;
        total.fetch_add(n, std::memory_order_relaxed);
    }
    int of(const std::string &name)
    {
        return counts[name];
    }
    int all() const
    {
        return total.load();
    }

  private:
    Counters() : total(0)
    {
    }
    std::mutex mutex;
    std::map<std::string, int> counts;
    std::atomic<int> total;
};

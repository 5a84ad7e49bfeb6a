#ifndef LIFE_WORLD_HPP_INCLUDED
#define LIFE_WORLD_HPP_INCLUDED

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace life {

/// A board whose edges are glued. Owns its two buffers on the device; not to be copied.
class World {
public:
    World(int rows, int cols);
    ~World();
    World(World const&) = delete;
    World& operator=(World const&) = delete;

    void load(std::vector<std::string> const& picture);
    void evolve(unsigned generations = 1);
    int population() const;
    std::vector<std::uint8_t> cells() const;

private:
    int rows_, cols_;
    std::uint8_t *front_ = nullptr, *back_ = nullptr;
};

std::ostream& operator<<(std::ostream& out, World const& world);

} // namespace life
#endif

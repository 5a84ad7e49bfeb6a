// A lock-free table with open addresses, checked against std::unordered_map: the whole test is host code.
#include "linearprobing.h"
#include <algorithm>
#include <cstdio>
#include <random>
#include <unordered_map>

int main()
{
    std::mt19937 rnd(20);
    std::vector<KeyValue> insert(700), lookup;
    for (auto& kv : insert)
        kv = {(uint32_t)(rnd() % 900), (uint32_t)(rnd() % 100000)};
    std::vector<KeyValue> remove(insert.begin(), insert.begin() + 200);

    KeyValue* table = create_hashtable();
    insert_hashtable(table, insert.data(), 300);
    insert_hashtable(table, insert.data() + 300, 400);
    delete_hashtable(table, remove.data(), remove.size());
    for (uint32_t key = 0; key < 900; key += 3)
        lookup.push_back({key, 0});
    lookup_hashtable(table, lookup.data(), lookup.size());
    std::vector<KeyValue> all = iterate_hashtable(table);
    destroy_hashtable(table);

    std::unordered_map<uint32_t, uint32_t> gold;
    for (auto& kv : insert)
        gold[kv.key] = std::max(gold[kv.key], kv.value);
    for (auto& kv : remove)
        gold.erase(kv.key);
    auto right = [&](const KeyValue& kv) {
        auto found = gold.find(kv.key);
        return kv.value == (found == gold.end() ? kEmpty : found->second);
    };
    bool ok = all.size() == gold.size() && std::all_of(all.begin(), all.end(), right) &&
              std::all_of(lookup.begin(), lookup.end(), right);
    std::printf("%zu keys, %zu looked up\n%s\n", all.size(), lookup.size(), ok ? "PASS" : "FAIL");
    return !ok;
}

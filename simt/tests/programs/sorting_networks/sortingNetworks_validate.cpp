#include "sortingNetworks_common.h"
#include <map>

extern "C" uint validateSortedKeys(const uint *resKey, const uint *srcKey, uint batchSize, uint arrayLength, uint dir)
{
    for (uint j = 0; j < batchSize; j++, resKey += arrayLength, srcKey += arrayLength) {
        std::map<uint, int> count;
        for (uint i = 0; i < arrayLength; i++)
            count[srcKey[i]]++, count[resKey[i]]--;
        for (auto &entry : count)
            if (entry.second != 0)
                return 0;
        for (uint i = 0; i + 1 < arrayLength; i++)
            if (dir ? resKey[i] > resKey[i + 1] : resKey[i] < resKey[i + 1])
                return 0;
    }
    return 1;
}

extern "C" uint validateValues(const uint *resKey, const uint *resVal, const uint *srcKey, uint batchSize, uint arrayLength)
{
    for (uint i = 0; i < batchSize; i++, resKey += arrayLength, resVal += arrayLength)
        for (uint j = 0; j < arrayLength; j++)
            if (resKey[j] != srcKey[resVal[j]])
                return 0;
    return 1;
}

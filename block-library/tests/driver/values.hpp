// Values of parameters between JSON and C++.
#pragma once

#include <complex>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

namespace weir::test {

using Json = nlohmann::json;

template <class V> void assign(V& field, const Json& value) {
    if constexpr (std::is_same_v<V, std::complex<float>>) {
        field = value.is_array() ? V{value[0].get<float>(), value[1].get<float>()} : V{value.get<float>()};
    } else {
        field = value.get<V>();
    }
}

template <class V> Json describe(const V& field) {
    if constexpr (std::is_same_v<V, std::complex<float>>) {
        return Json::array({field.real(), field.imag()});
    } else {
        return field;
    }
}

/// Enumerators by the names that a descriptor gives them.
template <class E> using Options = std::map<std::string, E>;

template <class E> void assign(E& field, const Json& value, const Options<E>& options) {
    field = options.at(value.get<std::string>());
}

template <class E> Json describe(const E& field, const Options<E>& options) {
    for (const auto& [name, value] : options)
        if (value == field) return name;
    return nullptr;
}

}  // namespace weir::test

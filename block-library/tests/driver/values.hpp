// Conversion of parameter values between JSON and C++.
#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::test {

/// Values by name: a JSON object, hidden because the JSON library is slow to compile.
class Values {
  public:
    Values();
    explicit Values(const std::string& json);
    Values(Values&&) noexcept;
    Values& operator=(Values&&) noexcept;
    ~Values();

    std::string json() const;

    /// Set the field to the value of that name, if there is one. Throws if the value does not fit.
    template <class V> void get(const char* name, V& field) const {
        if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) {
            auto wide = static_cast<std::int64_t>(field);
            read(name, wide);
            field = static_cast<V>(wide);
        } else {
            read(name, field);
        }
    }
    template <class V> void set(const char* name, const V& field) {
        if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) write(name, static_cast<std::int64_t>(field));
        else write(name, field);
    }

    /// Enumerators by their names in the descriptor.
    template <class E> using Options = std::initializer_list<std::pair<const char*, E>>;

    template <class E> void get(const char* name, E& field, Options<E> options) const {
        std::string chosen;
        read(name, chosen);
        for (const auto& [option, value] : options)
            if (chosen == option) field = value;
    }
    template <class E> void set(const char* name, const E& field, Options<E> options) {
        for (const auto& [option, value] : options)
            if (value == field) write(name, std::string(option));
    }

  private:
    void read(const char* name, bool& field) const;
    void read(const char* name, std::int64_t& field) const;
    void read(const char* name, float& field) const;
    void read(const char* name, double& field) const;
    void read(const char* name, std::complex<float>& field) const;
    void read(const char* name, std::string& field) const;
    void read(const char* name, std::vector<float>& field) const;
    void write(const char* name, bool field);
    void write(const char* name, std::int64_t field);
    void write(const char* name, float field);
    void write(const char* name, double field);
    void write(const char* name, std::complex<float> field);
    void write(const char* name, const std::string& field);
    void write(const char* name, const std::vector<float>& field);

    struct Object;
    std::unique_ptr<Object> object_;
};

}  // namespace weir::test

#include "values.hpp"

#include <nlohmann/json.hpp>

namespace weir::test {

using Json = nlohmann::json;

struct Values::Object {
    Json json = Json::object();

    template <class V> void read(const char* name, V& field) const {
        if (json.contains(name)) field = json.at(name).get<V>();
    }
};

Values::Values() : object_(std::make_unique<Object>()) {}
Values::Values(const std::string& json) : Values() { object_->json = Json::parse(json); }
Values::Values(Values&&) noexcept = default;
Values& Values::operator=(Values&&) noexcept = default;
Values::~Values() = default;

std::string Values::json() const { return object_->json.dump(); }

void Values::read(const char* name, bool& field) const { object_->read(name, field); }
void Values::read(const char* name, std::int64_t& field) const { object_->read(name, field); }
void Values::read(const char* name, float& field) const { object_->read(name, field); }
void Values::read(const char* name, double& field) const { object_->read(name, field); }
void Values::read(const char* name, std::string& field) const { object_->read(name, field); }
void Values::read(const char* name, std::vector<float>& field) const { object_->read(name, field); }
void Values::read(const char* name, std::complex<float>& field) const {
    if (!object_->json.contains(name)) return;
    const Json& value = object_->json.at(name);
    field = value.is_array() ? std::complex<float>(value.at(0), value.at(1)) : std::complex<float>(value.get<float>());
}

void Values::write(const char* name, bool field) { object_->json[name] = field; }
void Values::write(const char* name, std::int64_t field) { object_->json[name] = field; }
void Values::write(const char* name, float field) { object_->json[name] = field; }
void Values::write(const char* name, double field) { object_->json[name] = field; }
void Values::write(const char* name, const std::string& field) { object_->json[name] = field; }
void Values::write(const char* name, const std::vector<float>& field) { object_->json[name] = field; }
void Values::write(const char* name, std::complex<float> field) { object_->json[name] = {field.real(), field.imag()}; }

}  // namespace weir::test

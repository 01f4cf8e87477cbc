// Compiles better-sqlite3 13 against Node-API 8, so that one binary loads in Node 18 to 24 and in Electron 25 and later.
#pragma once
#undef NAPI_VERSION
#define NAPI_VERSION 8
#include <napi.h>
namespace Napi {
// Node-API below version 10 can only keep references to objects, so a string is kept in a one-element array.
template <>
class Reference<String> {
 public:
  Reference() = default;
  explicit Reference(String s) {
    Array box = Array::New(s.Env(), 1);
    box.Set(uint32_t{0}, s);
    box_ = Napi::Persistent(static_cast<Object>(box));
  }
  Reference(Reference&&) = default;
  Reference& operator=(Reference&&) = default;
  String Value() const { return box_.Value().Get(uint32_t{0}).As<String>(); }
  Napi::Env Env() const { return box_.Env(); }
  bool IsEmpty() const { return box_.IsEmpty(); }
  void SuppressDestruct() { box_.SuppressDestruct(); }
  void Reset() { box_.Reset(); }
 private:
  ObjectReference box_;
};
inline Reference<String> Persistent(String s) { return Reference<String>(s); }
}

// SPDX-License-Identifier: Apache-2.0
#include "encoder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pintle::json {

using Kind = TapeEntry::Kind;

void LocalIndex::clear(std::size_t most) {
  if (slots_.size() < 2 * most) slots_.assign(std::bit_ceil(2 * most), {});
  if (++round_ != 0) return;
  std::fill(slots_.begin(), slots_.end(), Slot{});
  round_ = 1;
}

Result<Block*> Encoder::encode(const Tape& tape, SharedParts* parts) {
  tape_ = &tape;
  parts_ = parts;
  at_ = 0;
  values_.clear();
  words_.clear();
  bytes_.clear();
  shared_containers_.clear();
  texts_.clear(2 * tape.entries().size());  // values and their keys, which have no entries
  key_lists_.clear(tape.entries().size());
  owner_ = owner_on_tape();
  if (shares(Sharing::strings)) prefetch_texts();
  const Word root = value();
  words_.push_back(root);
  if (parts != nullptr) parts->use(words_);
  if (words_.size() > largest_payload || bytes_.size() > largest_payload) {
    if (parts != nullptr) parts->drop(words_);
    return fail(ErrorCode::invalid,
                "the document exceeds the maximum size of 256 MiB of strings and numbers and 1 GiB of structure");
  }
  if (parts != nullptr) parts->adopt();
  return Block::make(words_, bytes_, parts);
}

// The slots of the strings are spread over large tables. All of them are prefetched before the first is used.
void Encoder::prefetch_texts() const {
  const TapeEntry* const begin = tape_->entries().data();
  for (const TapeEntry* entry = begin; entry != begin + tape_->entries().size(); ++entry) {
    if (entry->kind != Kind::string || entry->size <= max_short_text_length) continue;
    parts_->texts.prefetch(short_hash(entry->hash));
    parts_->sightings.prefetch(entry->hash);
  }
}

// Returns a number that identifies the object: the same for all versions of an object, and (except for hash collisions)
// different for different objects. A document without a name counts as a separate object.
std::uint32_t Encoder::owner_on_tape() {
  if (!shares(Sharing::shapes)) return 0;
  const TapeEntry* metadata = tape_->member(tape_->entries().data(), "metadata");
  const auto text_in_metadata = [&](std::string_view key) {
    const TapeEntry* const entry = tape_->member(metadata, key);
    return entry != nullptr && entry->kind == Kind::string ? entry : nullptr;
  };
  const TapeEntry* uid = text_in_metadata("uid");
  const TapeEntry* name = text_in_metadata("name");
  if (uid != nullptr) return static_cast<std::uint32_t>(uid->hash);
  if (name == nullptr) return ++parts_->unnamed;
  const TapeEntry* namespace_ = text_in_metadata("namespace");
  return static_cast<std::uint32_t>(mix(name->hash, namespace_ == nullptr ? 0 : namespace_->hash));
}

Word Encoder::value() {
  const TapeEntry& entry = tape_->entries()[at_++];
  switch (entry.kind) {
    case Kind::null: return make_word(Literal::null);
    case Kind::no: return make_word(Literal::no);
    case Kind::yes: return make_word(Literal::yes);
    case Kind::integer:
    case Kind::large:
    case Kind::real: return number(entry);
    case Kind::written: return make_word(Tag::written_number, put_text(tape_->text(entry), entry.hash));
    case Kind::string: return text(tape_->text(entry), entry.hash);
    case Kind::array: return entry.bits == 0 ? make_word(Literal::empty_array) : noted(entry, array(entry.bits));
    case Kind::object: return entry.bits == 0 ? make_word(Literal::empty_object) : noted(entry, object(entry));
    case Kind::known: return static_cast<Word>(entry.bits);
  }
  return {};
}

Word Encoder::noted(const TapeEntry& entry, Word word) {
  if (tape_->has_source(entry) && tag_of(word) == Tag::shared_container) {
    shared_containers_.push_back({entry.source, word});
  }
  return word;
}

Word Encoder::number(const TapeEntry& entry) {
  const auto integer = static_cast<std::int64_t>(entry.bits);
  if (entry.kind == Kind::integer && fits_word(integer)) return integer_word(integer);
  const Tag tag = entry.kind == Kind::integer ? Tag::signed_number
                  : entry.kind == Kind::large ? Tag::unsigned_number
                                              : Tag::double_number;
  return make_word(tag, put_bytes(&entry.bits, sizeof entry.bits));
}

Word Encoder::text(std::string_view text, std::uint64_t hash) {
  if (text.size() <= max_short_text_length) return short_text_word(text);
  if (shares(Sharing::strings)) {
    const std::uint32_t number = known_text(text, hash);
    if (number != Parts<char>::none) return make_word(Tag::shared_text, number);
    if (parts_->sightings.seen_elsewhere(hash, owner_) && parts_->texts.has_room()) {
      return make_word(Tag::shared_text, parts_->texts.add(short_hash(hash), text));
    }
  }
  return make_word(Tag::text, put_text(text, hash));
}

std::uint32_t Encoder::known_text(std::string_view text, std::uint64_t hash) const {
  return parts_->texts.find(short_hash(hash), [text](std::span<const char> one) {
    return same_text(text, {one.data(), one.size()});
  });
}

// Stores each string once in a document.
std::uint32_t Encoder::put_text(std::string_view text, std::uint64_t hash) {
  return texts_.find(
      hash, [&](std::uint32_t at) { return text_at(bytes_.data() + at) == text; },
      [&] {
        const auto begin = static_cast<std::uint32_t>(bytes_.size());
        std::size_t length = text.size();
        for (; length >= 0x80U; length >>= 7U) bytes_ += static_cast<char>((length & 0x7fU) | 0x80U);
        bytes_ += static_cast<char>(length);
        bytes_ += text;
        return begin;
      });
}

std::uint32_t Encoder::put_bytes(const void* bytes, std::size_t size) {
  const auto begin = static_cast<std::uint32_t>(bytes_.size());
  bytes_.append(static_cast<const char*>(bytes), size);
  return begin;
}

Word Encoder::array(std::size_t size) {
  const std::size_t first = values_.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Word element = value();
    values_.push_back(element);
  }
  return container(make_word(Tag::count, static_cast<Word>(size)), first);
}

Word Encoder::object(const TapeEntry& entry) {
  const std::size_t first = values_.size();
  for (std::size_t i = 0; i < entry.bits; ++i) {
    const Word member = value();
    values_.push_back(member);
  }
  return container(head_of_object(*entry.path, first), first);
}

Word Encoder::container(Word head, std::size_t first) {
  const std::size_t begin = words_.size();
  words_.push_back(head);
  words_.insert(words_.end(), values_.begin() + static_cast<std::ptrdiff_t>(first), values_.end());
  values_.resize(first);
  const std::span<const Word> whole = std::span<const Word>(words_).subspan(begin);
  if (!shares(Sharing::subtrees) || !std::all_of(whole.begin(), whole.end(), is_shareable)) {
    return make_word(Tag::container, static_cast<Word>(begin));
  }
  const std::uint64_t hash = hash_of(whole, tape_->seed());
  Parts<Word>& containers = parts_->containers;
  std::uint32_t number =
      containers.find(short_hash(hash), [whole](std::span<const Word> one) { return std::ranges::equal(whole, one); });
  if (number == Parts<Word>::none && parts_->sightings.seen_elsewhere(hash, owner_) && containers.has_room()) {
    number = containers.add(short_hash(hash), whole);
    parts_->use(whole);
  }
  if (number == Parts<Word>::none) return make_word(Tag::container, static_cast<Word>(begin));
  words_.resize(begin);
  return make_word(Tag::shared_container, number);
}

// Reuses the shape that was found for an earlier object with the same keys at the same path.
Word Encoder::head_of_object(KeyPath& path, std::size_t first_value) {
  if (shares(Sharing::shapes)) {
    const std::uint32_t known = path.shape(parts_->shapes.erased());
    if (known != KeyPath::unknown) return make_word(Tag::shape, known);
  }
  keys_.resize(path.length());
  const KeyPath* key = &path;
  for (auto place = keys_.rbegin(); place != keys_.rend(); key = key->before()) *place++ = key;
  const Word head = head_of_keys(first_value);
  const bool is_each_once = keys_.size() == path.length();
  if (is_each_once && tag_of(head) == Tag::shape) path.set_shape(payload_of(head), parts_->shapes.erased());
  return head;
}

Word Encoder::head_of_keys(std::size_t first_value) {
  const std::uint64_t hash = hash_of_keys();
  if (shares(Sharing::shapes)) {
    if (const std::uint32_t known = known_shape(hash); known != Parts<Word>::none) return make_word(Tag::shape, known);
  }
  // Duplicate keys are only possible here, because a known shape has none.
  if (drop_repeated_keys(first_value)) return head_of_keys(first_value);
  if (shares(Sharing::shapes) && parts_->sightings.seen_elsewhere(hash, owner_) && parts_->shapes.has_room()) {
    return make_word(Tag::shape, new_shape(hash));
  }
  return make_word(Tag::key_list, key_list(hash));
}

std::uint64_t Encoder::hash_of_keys() const {
  std::uint64_t hash = tape_->seed();
  for (const KeyPath* key : keys_) hash = mix(hash, key->hash());
  return hash;
}

std::uint32_t Encoder::known_shape(std::uint64_t hash) const {
  return parts_->shapes.find(short_hash(hash), [&](std::span<const Word> words) {
    const Shape shape(words);
    if (shape.size() != keys_.size()) return false;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (!same_text(shape.key(i), keys_[i]->key())) return false;
    }
    return true;
  });
}

std::uint32_t Encoder::new_shape(std::uint64_t hash) {
  std::vector<Word> words{static_cast<Word>(keys_.size())};
  std::string names;
  for (const KeyPath* key : keys_) words.push_back(short_hash(key->hash()));
  for (const KeyPath* key : keys_) {
    names += key->key();
    words.push_back(static_cast<Word>(names.size()));
  }
  const std::size_t begin = words.size();
  words.resize(begin + (names.size() + sizeof(Word) - 1) / sizeof(Word));
  if (!names.empty()) std::memcpy(words.data() + begin, names.data(), names.size());
  return parts_->shapes.add(short_hash(hash), words);
}

std::uint32_t Encoder::interned(const KeyPath& key) {
  const std::uint32_t known = known_text(key.key(), key.hash());
  return known != Parts<char>::none ? known : parts_->texts.add(short_hash(key.hash()), key.key());
}

// Stores each list of keys once in a document.
std::uint32_t Encoder::key_list(std::uint64_t hash) {
  const std::size_t begin = words_.size();
  words_.push_back(make_word(Tag::count, static_cast<Word>(keys_.size())));
  for (const KeyPath* key : keys_) {
    const Word name = key_word(*key);
    words_.push_back(name);
  }
  const std::span<const Word> list = std::span<const Word>(words_).subspan(begin);
  const std::uint32_t at = key_lists_.find(
      hash,
      [&](std::uint32_t one) {
        return std::ranges::equal(list, std::span<const Word>(words_).subspan(one, list.size()));
      },
      [&] { return static_cast<std::uint32_t>(begin); });
  if (at != begin) words_.resize(begin);
  return at;
}

Word Encoder::key_word(const KeyPath& key) {
  const std::string_view name = key.key();
  if (parts_ == nullptr || shares(Sharing::shapes) || name.size() <= max_short_text_length ||
      !parts_->texts.has_room()) {
    return text(name, key.hash());
  }
  return make_word(Tag::shared_text, interned(key));
}

// Removes duplicate keys: the last value is kept, at the position of the first. Returns whether there were any.
bool Encoder::drop_repeated_keys(std::size_t first_value) {
  const std::size_t size = keys_.size();
  repeated_.clear(size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::string_view name = keys_[i]->key();
    const std::uint32_t first = repeated_.find(
        keys_[i]->hash(), [&](std::uint32_t at) { return keys_[at]->key() == name; },
        [&] { return static_cast<std::uint32_t>(kept); });
    // The removed value stays among the words, so that a shared part to which it refers is counted like the others.
    if (first != kept) words_.push_back(values_[first_value + first]);
    keys_[first] = keys_[i];
    values_[first_value + first] = values_[first_value + i];
    if (first == kept) ++kept;
  }
  keys_.resize(kept);
  values_.resize(first_value + kept);
  return kept != size;
}

}  // namespace pintle::json

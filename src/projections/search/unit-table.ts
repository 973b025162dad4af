const firstSlots = 1 << 12;

/** Numbers byte strings, from 0 in order of first appearance: a hash table without string objects. */
export class UnitTable {
  #bytes = new Uint8Array(1 << 16);
  #starts = new Uint32Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  /** Unit numbers plus one, 0 for empty slots; open addressing. */
  #slots = new Uint32Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  number(text: string, from: number, to: number): number {
    const hash = hashOf(text, from, to);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes[number] === hash && this.#is(number, text, { from, to })) return number;
    }
    this.#slots[slot] = this.#size + 1;
    return this.#add(text, hash, { from, to });
  }

  unit(number: number): string {
    const [from, to] = [this.#starts[number]!, this.#starts[number + 1]!];
    return Buffer.from(this.#bytes.buffer, from, to - from).toString('latin1');
  }

  #is(number: number, text: string, { from, to }: { from: number; to: number }): boolean {
    let at = this.#starts[number]!;
    if (this.#starts[number + 1]! - at !== to - from) return false;
    for (let i = from; i < to; i++) if (this.#bytes[at++] !== text.charCodeAt(i)) return false;
    return true;
  }

  #add(text: string, hash: number, { from, to }: { from: number; to: number }): number {
    const number = this.#size++;
    let at = this.#starts[number]!;
    if (at + to - from > this.#bytes.length) this.#bytes = copied(this.#bytes, new Uint8Array((at + to - from) * 2));
    for (let i = from; i < to; i++) this.#bytes[at++] = text.charCodeAt(i);
    if (this.#size + 1 > this.#starts.length) {
      this.#starts = copied(this.#starts, new Uint32Array(this.#size * 2));
      this.#hashes = copied(this.#hashes, new Int32Array(this.#size * 2));
    }
    this.#starts[number + 1] = at;
    this.#hashes[number] = hash;
    if (this.#size * 2 > this.#slots.length) this.#spread();
    return number;
  }

  #spread(): void {
    const slots = new Uint32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function copied<T extends Uint8Array | Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Names with a meaning in every object; in requests they are refused or not found. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function isForbidden(name: string): boolean {
  return forbidden.has(name);
}

/** The first such name of a member anywhere inside a value; null for none. */
export function forbiddenName(value: unknown): string | null {
  let level: readonly unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const found = Array.isArray(one) ? undefined : Object.keys(one).find(isForbidden);
      if (found !== undefined) return found;
      for (const member of Object.values(one)) next.push(member);
    }
    level = next;
  }
  return null;
}

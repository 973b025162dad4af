/**
 * A part of a program that has a lifetime. `All`: all parts by name. Who opens something says there how it ends; a node and a server are
 * lists of such parts.
 *
 * Why, and what was rejected: `docs/adr/0065-parts-with-a-lifetime.md`.
 */
export interface ProgramPart<All> {
  readonly name: keyof All;
  /** Parts that must be open before it. */
  readonly needs: readonly (keyof All)[];
  /** Parts that it uses only once all are open. */
  readonly later: readonly (keyof All)[];
  /** Opens it, and registers in `scope` how it ends. Parts end in reverse order, each whether or not another fails to. */
  open(parts: All, scope: AsyncDisposableStack): unknown;
}

interface Defined<All, Name extends keyof All, Needs extends keyof All, Later extends keyof All> {
  readonly name: Name;
  readonly needs: readonly Needs[];
  readonly later?: readonly Later[];
  open(parts: Pick<All, Needs | Later>, scope: AsyncDisposableStack): All[Name] | Promise<All[Name]>;
}

/** Returns a function that defines parts of a program, which see only the parts that they name. */
export function partsOf<All extends object>() {
  return <Name extends keyof All, Needs extends keyof All = never, Later extends keyof All = never>(
    part: Defined<All, Name, Needs, Later>,
  ): ProgramPart<All> => ({ later: [], ...part });
}

/**
 * Opens parts in order, each into the given ones. Throws what a part throws, and when one stands before a part that it needs. The ends
 * of those that are open are in `scope`.
 */
export async function openParts<All extends object>(
  parts: readonly ProgramPart<All>[],
  given: Partial<All>,
  scope: AsyncDisposableStack,
): Promise<All> {
  const opened = { ...given } as All;
  for (const part of parts) {
    const missing = part.needs.filter((name) => !Object.hasOwn(opened, name));
    if (missing.length > 0) throw new Error(`${String(part.name)} needs ${missing.join(', ')}, which opens after it`);
    Object.assign(opened, { [part.name]: await part.open(opened, scope) });
  }
  return opened;
}

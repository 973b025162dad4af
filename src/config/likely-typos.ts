/** For each variable that is no setting, but looks like one with a typing error: the variable and the nearest setting. */
export function likelyTypos(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly (readonly [name: string, meant: string])[] {
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name) || !/^[A-Z][A-Z_]*$/.test(name)) return [];
    const meant = settings.find((setting) => setting.length >= shortest && isOneAway(name, setting));
    return meant === undefined ? [] : [[name, meant] as const];
  });
}

/** Settings with fewer letters are too near to names of other programs. */
const shortest = 4;

/** Whether one letter more, less, different, or exchanged with the next makes one of the other. */
export function isOneAway(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const [restA, restB] = [a.slice(from), b.slice(from)];
  const isExchanged = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return (
    [
      [restA.slice(1), restB],
      [restA, restB.slice(1)],
      [restA.slice(1), restB.slice(1)],
    ].some(([one, other]) => one === other) || isExchanged
  );
}

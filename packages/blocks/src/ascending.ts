/** Returns a search for ascending offsets that scans no part of the text twice; its result is -1 if nothing is left. */
export function ascending(text: string, searched: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(searched, from);
    return found;
  };
}

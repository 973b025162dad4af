/** Searches for ascending places without looking at any part of the text twice. */
export function ascending(text: string, searched: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(searched, from);
    return found;
  };
}

/** Longer terms are searched with a table: the engine's own search can take time in proportion to the product of both lengths. */
const long = 250;

/** The same as `includes`, in time in proportion to both texts. */
export function contains(text: string, term: string): boolean {
  if (term.length <= long) return text.includes(term);
  const back = tableOf(term);
  let known = 0;
  for (let i = 0; i < text.length; i++) {
    while (known > 0 && text.charCodeAt(i) !== term.charCodeAt(known)) known = back[known - 1] ?? 0;
    if (text.charCodeAt(i) === term.charCodeAt(known)) known++;
    if (known === term.length) return true;
  }
  return false;
}

/** For each length of a beginning: how much of the term is left to be known when the next character differs (Knuth, Morris, Pratt). */
function tableOf(term: string): Int32Array {
  const back = new Int32Array(term.length);
  let known = 0;
  for (let i = 1; i < term.length; i++) {
    while (known > 0 && term.charCodeAt(i) !== term.charCodeAt(known)) known = back[known - 1] ?? 0;
    if (term.charCodeAt(i) === term.charCodeAt(known)) known++;
    back[i] = known;
  }
  return back;
}

/** Replaces the `x` between two numbers with a multiplication sign: in `3x4`, but not in `0x1f` or a chain like `2x3x4`. */
export function setTimesSigns(text: string): string {
  if (!/\dx\d/.test(text)) return text;
  let out = '';
  let done = 0;
  for (let x = text.indexOf('x', 1); x > 0; x = text.indexOf('x', x + 1)) {
    if (!isDigit(text.charCodeAt(x + 1))) continue;
    if (!hasLeftNumber(text, x, done)) continue;
    const end = rightEnd(text, x + 1);
    if (end < 0) continue;
    out += `${text.slice(done, x)}&#215;`;
    done = x + 1;
    // The right number cannot be the left number of another sign.
    out += text.slice(done, end);
    done = end;
  }
  return out + text.slice(done);
}

/** Whether a number starts at a word boundary and reaches `x`; a single zero does not count. */
function hasLeftNumber(text: string, x: number, floor: number): boolean {
  let start = x;
  while (start > floor && isNumeric(text.charCodeAt(start - 1))) start--;
  for (let at = start; at < x; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code) || isWord(text.charCodeAt(at - 1))) continue;
    if (code !== 48 || x - at > 1) return true;
  }
  return false;
}

/** End of the number that starts at `from` and ends at a word boundary, or -1. */
function rightEnd(text: string, from: number): number {
  let end = from + 1;
  while (isNumeric(text.charCodeAt(end))) end++;
  for (; end > from; end--) {
    if (isWord(text.charCodeAt(end - 1)) !== isWord(text.charCodeAt(end))) return end;
  }
  return -1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNumeric(code: number): boolean {
  return isDigit(code) || code === 46 || code === 44;
}

function isWord(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

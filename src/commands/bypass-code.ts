import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 16;

export function makeBypassCode(): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}

import { escapeAddress } from '#text/escape-address.ts';
import { escapeAttribute } from '#text/references.ts';
import { avatarAddress, type Pictured } from '../addresses/items.ts';

export interface PictureOptions {
  /** Pixels per side. */
  readonly size: number;
  readonly alt: string;
  readonly classes?: string;
  readonly style?: string;
}

export function picture(whose: Pictured, url: string, { size, alt, classes = '', style = '' }: PictureOptions): string {
  const source = (pixels: number): string => escapeAddress(avatarAddress(whose, url, pixels));
  const names = `avatar avatar-${size} photo${classes === '' ? '' : ` ${classes}`}`;
  const styled = style === '' ? '' : ` style="${escapeAttribute(style)}"`;
  return (
    `<img alt='${escapeAttribute(alt)}' src='${source(size)}' srcset='${source(size * 2)} 2x'` +
    ` class='${escapeAttribute(names)}' height='${size}' width='${size}'${styled} decoding='async'/>`
  );
}

import { typeOfExtension } from '#domain/media/types.ts';
import { escapeAddress, withParameter } from '#text/escape-address.ts';
import { escapeAttribute } from '#text/references.ts';
import type { ShortcodeAttributes } from '#text/shortcode-attributes.ts';
import { saysYes } from '#text/shortcodes/whole.ts';
import { sourceUrl } from '../../addresses/media.ts';
import type { Here } from '../types.ts';
import { firstAttached } from './attached.ts';

export interface PlayerSource {
  readonly address: string;
  readonly type: string;
}

/** The contents of a player: sources in order, or just a link to a file that it cannot play. */
export type FoundMedia = { readonly sources: readonly PlayerSource[] } | { readonly link: string };

/** Type of a page with a player of its own; null for any other address. */
export type TypeOfPage = (address: string) => string | null;

/** The sources named by an audio or video shortcode, else the first such file attached to the post. */
export function sourcesOf(
  attributes: ShortcodeAttributes,
  {
    endings,
    kind,
    typeOfPage,
  }: { readonly endings: readonly string[]; readonly kind: string; readonly typeOfPage: TypeOfPage },
  here: Here,
): FoundMedia {
  const given = attributes.get('src') ?? '';
  const pageType = given === '' ? null : typeOfPage(given);
  if (given !== '' && pageType === null && !endings.includes(endingOf(given))) return { link: given };
  const named = endings.flatMap((ending) => ({ ending, address: attributes.get(ending) ?? '' }));
  const hasOwn = given !== '' || named.some(({ ending, address }) => endingOf(address) === ending);
  const attached = hasOwn ? undefined : firstAttached(kind, here);
  if (!hasOwn && attached === undefined) return { sources: [] };
  const first = attached === undefined ? given : sourceUrl(attached, here.rendering.model);
  const addresses = [first, ...named.map(({ address }) => address)].filter((address) => address !== '');
  return {
    sources: addresses.map((address, i) => ({
      address,
      type: (i === 0 ? pageType : null) ?? typeOfExtension(endingOf(address)) ?? '',
    })),
  };
}

/** The contents of the player element: its sources, other content, and a link to the first source. */
export function playerInside(sources: readonly PlayerSource[], number: number, content = ''): string {
  const all = sources.map(
    ({ address, type }) => `<source type="${type}" src="${escapeAddress(withParameter(address, '_', number))}" />`,
  );
  const first = escapeAddress(sources[0]?.address ?? '');
  return `${all.join('')}${content}<a href="${first}">${first}</a>`;
}

export function fileLink(kind: string, address: string): string {
  return `<a class="wp-embedded-${kind}" href="${escapeAddress(address)}">${escapeAttribute(address)}</a>`;
}

/** Writes attributes: true as a bare name; '' and false are omitted, except for those in `kept`. */
export function written(attributes: Readonly<Record<string, string | boolean>>, kept: readonly string[]): string {
  return Object.entries(attributes)
    .filter(([name, value]) => kept.includes(name) || (value !== false && value !== ''))
    .map(([name, value]) => (value === true ? name : `${name}="${escapeAttribute(String(value))}"`))
    .join(' ');
}

export function playing(attributes: ShortcodeAttributes): Readonly<Record<'loop' | 'autoplay' | 'muted', boolean>> {
  const says = (name: string) => saysYes(attributes.get(name) ?? '');
  return { loop: says('loop'), autoplay: says('autoplay'), muted: says('muted') };
}

function endingOf(address: string): string {
  return /\.([a-z0-9]+)$/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

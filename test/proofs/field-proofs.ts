import { hash } from 'node:crypto';
import { type BundledEvent, encodeBundle, type ProofBundle } from '#proofs/bundle.ts';
import { SEALS, SEED, sealFields, sealOfFields } from '#text/field-seals.ts';
import { item, sampleLog } from './sample-log.ts';

/** Proofs of events whose fields have seals of their own. */

type Fields = readonly (readonly string[])[];

const seed = '5eed'.repeat(8);
const texts = { title: 'Größe “1”', content: 'Not for strangers', excerpt: '', password: 'vellum' };
const seals = sealFields(
  seed,
  Object.entries(texts).map(([name, value]) => ({ name, text: JSON.stringify(value) })),
);
const log = logOf(sealOfFields(seals));

/** `opened`: the names of those whose values are shown. */
const fields = (...opened: readonly string[]): Fields =>
  seals.map(({ name, salt, text, digest }) => (opened.includes(name) ? [name, salt, text] : [name, digest]));

function logOf(stated: string) {
  const data = { status: 'publish', [SEALS]: stated };
  return sampleLog([item(1, 'EntryCreated', data, { ...texts, [SEED]: seed }), item(2, 'EntryPublished', {})]);
}

function proofOf(sealed: object | null, made = log): ProofBundle {
  const { events, ...rest } = made.bundle(2, [1, 2], [1]);
  const [first, ...others] = events;
  return { ...rest, events: [{ ...first, sealed } as BundledEvent, ...others] };
}

export function trueFieldProofs(): { readonly name: string; readonly text: string }[] {
  return Object.entries({
    'one-field': proofOf({ fields: fields('title') }),
    'no-field': proofOf({ fields: fields() }),
    'all-fields': proofOf({ fields: fields(...Object.keys(texts)) }),
  }).map(([name, bundle]) => ({ name, text: encodeBundle(bundle) }));
}

export function forgedFieldProofs(): Record<string, ProofBundle> {
  const own = fields('title');
  const title = own[0] ?? [];
  const changed = (change: (field: readonly string[]) => readonly string[]) =>
    proofOf({ fields: own.map((field, i) => (i === 0 ? change(field) : field)) });
  const [salt = ''] = title.slice(1);
  const twice = [...seals, ...seals.filter(({ name }) => name === 'title')];
  const two = [{ name: 'title', salt, text: '"One","content":"Two"', digest: '' }].map((one) => ({
    ...one,
    digest: hash('sha256', salt + hash('sha256', one.text)),
  }));
  const shown = (of: typeof seals) => ({ fields: of.map((one) => [one.name, one.salt, one.text]) });
  return {
    'field-changed': changed(([name = '', own = '']) => [name, own, '"Forged"']),
    'field-with-space': changed(([name = '', own = '', text = '']) => [name, own, `${text} `]),
    'field-of-another-name': changed(([, ...rest]) => ['content', ...rest]),
    'field-without-text': changed(([name = '', own = '']) => [name, own]),
    'field-with-more': changed((field) => [...field, '']),
    'field-with-less': changed(([name = '']) => [name]),
    'field-salt-and-text-moved': changed(([name = '', own = '', text = '']) => [name, own.slice(1), own[0] + text]),
    'fields-fewer': proofOf({ fields: own.slice(0, 1) }),
    'fields-none': proofOf({ fields: [] }),
    'fields-reversed': proofOf({ fields: own.toReversed() }),
    'fields-as-whole-text': log.bundle(2, [1, 2], [1]),
    'fields-of-an-event-without': proofOf(
      { fields: own },
      sampleLog([item(1, 'EntryCreated', {}, texts), item(2, 'EntryPublished', {})]),
    ),
    'log-field-twice': proofOf(shown(twice), logOf(sealOfFields(twice))),
    'log-field-of-two': proofOf(shown(two), logOf(sealOfFields(two))),
  };
}

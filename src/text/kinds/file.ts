import { isSet } from '../attributes.ts';
import type { Kind } from './kind.ts';

export const file: Kind = {
  marks: ({ name }) => (name === 'object' ? 'object' : null),
  close: ({ attributes, outer, place, find }) => {
    const object = find('object', place)?.tag;
    const label = object?.get('aria-label');
    if (typeof label === 'string') object?.change({ set: { 'aria-label': labelOf(label) } });
    if (!isSet(attributes.get('displayPreview'))) return;
    outer?.change({ set: { 'data-wp-interactive': 'core/file' } });
    object?.change({ set: { 'data-wp-bind--hidden': '!state.hasPdfPreview', hidden: true } });
  },
};

function labelOf(name: string): string {
  return name === '' || name === 'PDF embed' ? 'PDF embed' : `Embed of ${name}.`;
}

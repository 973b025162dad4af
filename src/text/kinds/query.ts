import { isNumber, textAt } from '../attributes.ts';
import type { Kind } from './kind.ts';

/** A query whose pages are switched without reloading the document. */
export const query: Kind = {
  close: ({ attributes, outer }) => {
    const id = attributes.get('queryId');
    const name = isNumber(id) ? id.number : textAt(attributes, 'queryId');
    if (attributes.get('enhancedPagination') !== true || name === undefined) return;
    outer?.change({
      set: {
        'data-wp-context': '{}',
        'data-wp-interactive': 'core/query',
        'data-wp-key': name,
        'data-wp-router-region': `query-${name}`,
      },
    });
  },
};

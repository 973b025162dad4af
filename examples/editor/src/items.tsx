import { Button } from '@wordpress/components';
import { useEntityRecords } from '@wordpress/core-data';
import { type Action, DataViews, type Field, type View } from '@wordpress/dataviews';
import {
  authorField,
  dateField,
  permanentlyDeletePost,
  restorePost,
  statusField,
  titleField,
  trashPost,
  viewPost,
} from '@wordpress/fields';
import { pencil } from '@wordpress/icons';
import { useState } from 'react';
import { Frame } from './frame.tsx';

/** A post or page, as far as the list shows it. */
interface Item {
  readonly id: number;
  readonly _links: { readonly self: readonly { readonly targetHints?: { readonly allow: readonly string[] } }[] };
}

const initial: View = {
  type: 'table',
  page: 1,
  perPage: 20,
  sort: { field: 'date', direction: 'desc' },
  titleField: 'title',
  fields: ['author', 'status', 'date'],
  filters: [],
};
const everything = ['publish', 'future', 'draft', 'pending', 'private'];
const fields = [titleField, authorField, statusField, dateField] as unknown as Field<Item>[];
const addressOf = ({ id }: Item) => `post.php?post=${id}&action=edit`;
const editItem: Action<Item> = {
  id: 'edit',
  label: 'Edit',
  icon: pencil,
  isPrimary: true,
  isEligible: (item) => allowed(item).includes('PUT'),
  callback: ([item]) => item && location.assign(addressOf(item)),
};
const actions = [editItem, viewPost, trashPost, restorePost, permanentlyDeletePost] as Action<Item>[];

interface Listed {
  readonly type: 'post' | 'page';
  /** Whose. Default: everybody's. */
  readonly author: number | undefined;
}

/** The list of posts or of pages, with its search, its filter by status and its trash. */
export function Items({ type, author }: Listed) {
  const [view, setView] = useState(initial);
  const chosen = view.filters?.find(({ field }) => field === 'status')?.value ?? [];
  const { records, isResolving, totalItems, totalPages } = useEntityRecords<Item>('postType', type, {
    ...{ page: view.page, per_page: view.perPage, _embed: 'author' },
    ...{ orderby: view.sort?.field, order: view.sort?.direction, search: view.search || undefined },
    ...(author === undefined ? {} : { author }),
    status: (chosen.length > 0 ? chosen : everything).join(','),
  });
  const [title, one] = type === 'post' ? ['Posts', 'post'] : ['Pages', 'page'];
  return (
    <Frame
      title={title}
      action={
        <Button variant="primary" href={`post-new.php?post_type=${type}`}>
          New {one}
        </Button>
      }
    >
      <DataViews
        data={(records ?? []).map(withPermissions)}
        fields={fields}
        view={view}
        onChangeView={setView}
        actions={actions}
        isLoading={isResolving}
        paginationInfo={{ totalItems: totalItems ?? 0, totalPages: totalPages ?? 0 }}
        defaultLayouts={{ table: {}, list: {} }}
        getItemId={({ id }) => String(id)}
        isItemClickable={(item) => allowed(item).includes('PUT')}
        renderItemLink={({ item, ...props }) => <a {...props} href={addressOf(item)} />}
      />
    </Frame>
  );
}

/** The actions ask for permissions, which the store tells of each item by its methods. */
function withPermissions(item: Item) {
  return { ...item, permissions: { delete: allowed(item).includes('DELETE'), update: allowed(item).includes('PUT') } };
}

function allowed({ _links }: Item): readonly string[] {
  return _links.self[0]?.targetHints?.allow ?? [];
}

import apiFetch from '@wordpress/api-fetch';
import { FormFileUpload } from '@wordpress/components';
import { store as core, useEntityRecords } from '@wordpress/core-data';
import { useDispatch } from '@wordpress/data';
import { type Action, DataViews, type Field, type View } from '@wordpress/dataviews';
import { external, trash } from '@wordpress/icons';
import { store as notices } from '@wordpress/notices';
import { useState } from 'react';
import { Frame } from './frame.tsx';
import type { Refused } from './interface.ts';

interface Medium {
  readonly id: number;
  readonly title: { readonly raw: string };
  readonly alt_text: string;
  readonly date: string;
  readonly media_type: string;
  readonly mime_type: string;
  readonly source_url: string;
  readonly link: string;
  readonly media_details: { readonly sizes?: Readonly<Record<string, { readonly source_url: string }>> };
}

const initial: View = {
  type: 'grid',
  page: 1,
  perPage: 20,
  sort: { field: 'date', direction: 'desc' },
  titleField: 'title',
  mediaField: 'file',
  fields: ['mime_type', 'date'],
};
const fields: Field<Medium>[] = [
  { id: 'title', label: 'Title', getValue: ({ item }) => item.title.raw },
  { id: 'file', label: 'File', enableSorting: false, render: ({ item }) => <Thumbnail item={item} /> },
  { id: 'mime_type', label: 'Type', enableSorting: false },
  { id: 'date', label: 'Uploaded', type: 'datetime' },
];

function Thumbnail({ item }: { item: Medium }) {
  if (item.media_type !== 'image') return <span className="file">{item.mime_type}</span>;
  return <img src={item.media_details.sizes?.['medium']?.source_url ?? item.source_url} alt={item.alt_text} />;
}

/** The list of uploaded files. */
export function Media() {
  const [view, setView] = useState(initial);
  const { records, isResolving, totalItems, totalPages } = useEntityRecords<Medium>('postType', 'attachment', {
    ...{ page: view.page, per_page: view.perPage, search: view.search || undefined },
    ...{ orderby: view.sort?.field, order: view.sort?.direction },
  });
  const { deleteEntityRecord, invalidateResolutionForStoreSelector } = useDispatch(core);
  const { createErrorNotice } = useDispatch(notices);
  const fail = ({ message }: Refused) => createErrorNotice(message, { type: 'snackbar' });
  const upload = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const body = new FormData();
      body.append('file', file);
      await apiFetch({ path: '/wp/v2/media', method: 'POST', body }).catch(fail);
    }
    invalidateResolutionForStoreSelector('getEntityRecords');
  };
  const actions: Action<Medium>[] = [
    { id: 'view', label: 'View', icon: external, callback: ([item]) => void window.open(item?.link) },
    {
      id: 'delete',
      label: 'Delete for good',
      icon: trash,
      callback: async (items) => {
        if (!window.confirm(`Delete ${items.length} for good?`)) return;
        const options = { throwOnError: true };
        for (const { id } of items) {
          await deleteEntityRecord('postType', 'attachment', id, { force: true }, options).catch(fail);
        }
      },
    },
  ];
  return (
    <Frame
      title="Media"
      action={
        <FormFileUpload multiple onChange={({ currentTarget }) => void upload(currentTarget.files)}>
          Upload
        </FormFileUpload>
      }
    >
      <DataViews
        data={records ?? []}
        fields={fields}
        view={view}
        onChangeView={setView}
        actions={actions}
        isLoading={isResolving}
        paginationInfo={{ totalItems: totalItems ?? 0, totalPages: totalPages ?? 0 }}
        defaultLayouts={{ grid: {}, table: {} }}
        getItemId={({ id }) => String(id)}
      />
    </Frame>
  );
}

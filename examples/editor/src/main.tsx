import './page.css';
import apiFetch from '@wordpress/api-fetch';
import { Notice } from '@wordpress/components';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { isLoggedIn, type Refused } from './interface.ts';
import { Items } from './items.tsx';
import { LogIn } from './login.tsx';
import { Media } from './media.tsx';
import { Preview } from './preview.tsx';

/** The editor's package leads to these addresses, which are those of its family. */
const [, page = ''] = /(\w[\w-]*)\.php$/.exec(location.pathname) ?? [];
const query = new URLSearchParams(location.search);
const type = query.get('post_type') === 'page' ? 'page' : 'post';

async function open(): Promise<void> {
  if (page === 'preview' && (query.has('token') || isLoggedIn())) show(<Preview />);
  else if (!isLoggedIn()) show(<LogIn />);
  else if (page === 'post-new') await create();
  else if (page === 'post') {
    // The list of media in the editor, which otherwise needs scripts that are in no package.
    Object.assign(window, { __experimentalDataViewsMediaModal: true });
    const { openEditor } = await import('./editor.tsx');
    await openEditor(Number(query.get('post')));
  } else if (page === 'upload') show(<Media />);
  else await list();
}

/** Of those who may not edit the posts of others, the list has their own: the store counts the others, but does not list them for editing. */
async function list(): Promise<void> {
  const path = '/wp/v2/users/me?context=edit';
  const { id, capabilities } = await apiFetch<{ id: number; capabilities: Record<string, boolean> }>({ path });
  show(<Items type={type} author={capabilities[`edit_others_${type}s`] ? undefined : id} />);
}

async function create(): Promise<void> {
  const data = { title: 'Untitled', status: 'draft' };
  const { id } = await apiFetch<{ id: number }>({ path: `/wp/v2/${type}s`, method: 'POST', data });
  location.replace(`post.php?post=${id}&action=edit`);
}

function show(shown: ReactNode): void {
  createRoot(document.getElementById('app')!).render(shown);
}

open().catch(({ message }: Refused) =>
  show(
    <Notice status="error" isDismissible={false} actions={[{ label: 'Back', url: 'edit.php' }]}>
      {message}
    </Notice>,
  ),
);

import './page.css';
import apiFetch from '@wordpress/api-fetch';
import { createRoot } from 'react-dom/client';
import { isLoggedIn } from './interface.ts';
import { Items } from './items.tsx';
import { LogIn } from './login.tsx';
import { Media } from './media.tsx';
import { Preview } from './preview.tsx';

/** The editor's package leads to these addresses, which are those of its family. */
const [, page = ''] = /(\w[\w-]*)\.php$/.exec(location.pathname) ?? [];
const query = new URLSearchParams(location.search);
const type = query.get('post_type') === 'page' ? 'page' : 'post';

async function open(): Promise<void> {
  if (page === 'post-new') return create();
  if (page === 'post') {
    // The list of media in the editor, which otherwise needs scripts that are no package.
    Object.assign(window, { __experimentalDataViewsMediaModal: true });
    const { openEditor } = await import('./editor.tsx');
    return openEditor(Number(query.get('post')));
  }
  const shown = page === 'upload' ? <Media /> : <Items type={type} key={type} />;
  createRoot(document.getElementById('app')!).render(shown);
}

async function create(): Promise<void> {
  const data = { title: 'Untitled', status: 'draft' };
  const { id } = await apiFetch<{ id: number }>({ path: `/wp/v2/${type}s`, method: 'POST', data });
  location.replace(`post.php?post=${id}&action=edit`);
}

if (page === 'preview' && (query.has('token') || isLoggedIn()))
  createRoot(document.getElementById('app')!).render(<Preview />);
else if (isLoggedIn()) await open();
else createRoot(document.getElementById('app')!).render(<LogIn />);

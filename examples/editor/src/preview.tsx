import apiFetch from '@wordpress/api-fetch';
import blockStyle from '@wordpress/block-library/build-style/style.css?inline';
import { Button } from '@wordpress/components';
import { useEffect, useState } from 'react';
import contentStyle from './canvas.css?inline';
import type { Refused } from './interface.ts';

interface Shown {
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
}

/**
 * Shows what is not public yet: to whoever writes it, and to everybody who gets the address, which has a token that the store made for it.
 * Without a token it makes one.
 */
export function Preview() {
  const [page, setPage] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    load().then(
      (shown) => setPage(pageOf(shown)),
      ({ message }: Refused) => setProblem(message),
    );
  }, []);
  return (
    <div className="preview">
      <aside>
        {problem || 'This is a preview. Whoever has its address can see it for a week.'}
        <Button variant="secondary" onClick={() => void navigator.clipboard.writeText(location.href)}>
          Copy the address
        </Button>
      </aside>
      <iframe title="Preview" sandbox="" srcDoc={page} />
    </div>
  );
}

async function load(): Promise<Shown> {
  const query = new URLSearchParams(location.search);
  if (!query.has('token')) {
    const data = { item: Number(query.get('item')) };
    const { token } = await apiFetch<{ token: string }>({ path: '/wp/v2/previews', method: 'POST', data });
    query.delete('preview');
    query.set('token', token);
    history.replaceState(null, '', `?${query}`);
  }
  const path = `/wp/v2/${query.get('type')}/${query.get('item')}?_fields=title,content&preview=${query.get('token')}`;
  return apiFetch<Shown>({ path });
}

function pageOf({ title, content }: Shown): string {
  return `<style>${blockStyle}${contentStyle}</style><main><h1>${title.rendered}</h1>${content.rendered}</main>`;
}

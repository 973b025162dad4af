import { type Html, html } from '#text/html.ts';

/** Links to the neighbouring pages of a list; null: there is none. */
export function paging({
  newer,
  older,
}: {
  readonly newer: string | null;
  readonly older: string | null;
}): Html | null {
  if (newer === null && older === null) return null;
  const link = (rel: string, address: string | null, text: string) =>
    address === null ? html`<span></span>` : html`<a rel="${rel}" href="${address}">${text}</a>`;
  return html`<nav class="more" aria-label="Further posts">
${link('prev', newer, '← Newer')}
${link('next', older, 'Older →')}
</nav>`;
}

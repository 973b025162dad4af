import { createHash } from 'node:crypto';
import { asHtml, type Html, html } from '../pages/html.ts';
import type { Entry, Outline, Row, Section, Table } from './outline.ts';

const css = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; }
h2 { border-bottom: 1px solid GrayText; margin-top: 2.5rem; }
nav ul { columns: 16rem; padding-left: 1.25rem; }
details { border-bottom: 1px solid GrayText; }
summary { cursor: pointer; padding: .5rem 0; }
summary :is(h3, p) { display: inline; font-size: 1rem; margin: 0; }
code { font: .9375rem ui-monospace, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; width: 100%; }
th, td { border-bottom: 1px solid GrayText; overflow-wrap: break-word; padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
`;

const digest = createHash('sha256').update(css).digest('base64');

/** Nothing but its own style sheet: no scripts, nothing from elsewhere. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The description as a page for people. Everything is in it, so that the browser's own search finds it. */
export function pageOf(outline: Outline): string {
  const { title, description, base, shared, sections, records } = outline;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Interface of ${title}</title>
<style>${asHtml(css)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<h1>Interface of ${title}</h1>
<p>${withCode(description)}</p>
<p>Addresses begin with <code>${base}</code>. For programs: <a href="${base}/openapi.json">openapi.json</a>.</p>
<nav aria-label="Contents"><ul>
${sections.map(({ name }) => html`<li><a href="#${idOf(name)}">${name}</a></li>\n`)}<li><a href="#records">Records</a></li>
</ul></nav>
</header>
<main id="main">
<section aria-labelledby="everywhere"><h2 id="everywhere">Everywhere</h2>
${table(['Parameter', 'In', 'Type', 'Note'], shared)}
</section>
${sections.map(sectionPart)}<section aria-labelledby="records"><h2 id="records">Records</h2>
<p>The context in which a field is shown is chosen with the parameter <code>context</code>.</p>
${records.map(recordPart)}</section>
</main>
</body>
</html>
`.markup;
}

function sectionPart({ name, description, entries }: Section): Html {
  return html`<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2>
<p>${description}</p>
${entries.map(entryPart)}</section>
`;
}

function entryPart({ methods, path, summary, parameters, body, answers }: Entry): Html {
  const rows = [...parameters, ...body];
  return html`<details><summary><h3><code>${methods.join(', ')} ${path}</code></h3> <p>${summary}</p></summary>
<p>Answers ${answers.map(({ status, types, shows }) => html`<strong>${status}</strong> ${shows} (${types.join(', ')}) `)}</p>
${rows.length === 0 ? null : table(['Parameter', 'In', 'Type', 'Note'], rows)}</details>
`;
}

function recordPart({ name, rows }: Table): Html {
  return html`<details><summary><h3><code>${name}</code></h3></summary>
${table(['Field', 'Contexts', 'Type', 'Note'], rows)}</details>
`;
}

function table(heads: readonly string[], rows: readonly Row[]): Html {
  return html`<div class="wide"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ name, where, type, note }) =>
    html`<tr><th scope="row"><code>${name}</code></th><td>${where}</td><td>${type}</td><td>${note}</td></tr>\n`,
)}</tbody>
</table></div>
`;
}

/** Text with what stands between backticks as code. */
function withCode(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function idOf(name: string): string {
  return `in-${name.replaceAll(/\W+/g, '-')}`;
}

import { createHash } from 'node:crypto';
import { asHtml, type Html, html } from '#text/html.ts';
import type { Outline, OutlineEntry, OutlineRow, OutlineTable, Problem, Section } from './outline.ts';

const css = `
:root { background: #fff; color: #1b1b1b; color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
a { color: #0a4fb5; }
@media (prefers-color-scheme: dark) { :root { background: #141414; color: #ededed; } a { color: #9cc2ff; } }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; }
h2 { border-bottom: 1px solid GrayText; margin-top: 2.5rem; }
nav ul { columns: 16rem; padding-left: 1.25rem; }
details { border-bottom: 1px solid GrayText; }
summary { cursor: pointer; padding: .5rem 0; }
summary :is(h3, p) { display: inline; font-size: 1rem; margin: 0; }
code { font: .9375rem ui-monospace, monospace; }
.wide, pre { overflow-x: auto; }
pre { border: 1px solid GrayText; font: .875rem/1.4 ui-monospace, monospace; max-height: 30rem; overflow-y: auto; padding: .5rem; white-space: pre-wrap; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0; }
form pre { flex-basis: 100%; }
label { display: flex; flex-direction: column; }
input, button { font: inherit; padding: .25rem .5rem; }
[hidden] { display: none; }
table { border-collapse: collapse; margin: .5rem 0 1rem; width: 100%; }
th, td { border-bottom: 1px solid GrayText; overflow-wrap: break-word; padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
`;

/** Script of the description page, which is readable without it: finds routes and sends read requests. */
const pageScript = `(() => {
  const root = location.pathname.replace(/\\/docs\\/?$/, '');
  const all = [...document.querySelectorAll('main details')];
  const filter = document.getElementById('filter');
  const login = document.getElementById('login');
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  for (const part of document.querySelectorAll('[hidden]')) part.hidden = false;

  const others = { schedule: 'future', scheduled: 'future', login: 'password', undo: 'restore', history: 'revisions' };
  const inside = new Map();
  /** Words of paths and summaries may be parts of words; in parameters, types and notes words have to begin like them. */
  const has = (one, word) => {
    if (one.firstElementChild.textContent.toLowerCase().includes(word)) return true;
    if (!inside.has(one)) inside.set(one, one.textContent.toLowerCase());
    const text = inside.get(one);
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (at === 0 || !/[a-z0-9]/.test(text[at - 1])) return true;
    return false;
  };
  const find = () => {
    const words = filter.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const isPath = words.some((word) => /[/{]/.test(word));
    let found = 0;
    for (const one of all) {
      const text = one.firstElementChild.textContent.toLowerCase();
      const fits = (word) => (isPath ? text.includes(word) : has(one, word) || (others[word] !== undefined && has(one, others[word])));
      one.hidden = !words.every(fits);
      if (!one.hidden) found += 1;
    }
    for (const part of document.querySelectorAll('main section')) {
      const own = [...part.querySelectorAll('details')];
      part.hidden = own.length > 0 && own.every((one) => one.hidden);
    }
    document.getElementById('found').textContent = words.length === 0 ? '' : found + ' found; Enter leads to the first';
  };
  filter.oninput = find;
  filter.onkeydown = ({ key }) => {
    if (key === 'Enter' && filter.value.trim() !== '') all.find((one) => !one.hidden)?.scrollIntoView({ block: 'center' });
  };
  login.onsubmit = (event) => event.preventDefault();

  const headers = () => {
    const [name, password] = [login.elements.name.value, login.elements.password.value];
    if (name === '') return {};
    const bytes = new TextEncoder().encode(name + ':' + password);
    return { authorization: 'Basic ' + btoa(String.fromCharCode(...bytes)) };
  };

  const send = async (path, form, output) => {
    const query = new URLSearchParams();
    let address = path;
    for (const { name, value, dataset } of form.elements) {
      if (dataset.where === 'path') address = address.replace('{' + name + '}', encodeURIComponent(value));
      else if (dataset.where === 'query' && value !== '') query.set(name, value);
    }
    const asked = root + address + (query.size === 0 ? '' : '?' + query);
    try {
      const answer = await fetch(asked, { headers: headers(), credentials: 'omit' });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      const body = isJson && text.length < 200000 ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const more = body.length > 20000 ? '\\n… ' + (body.length - 20000) + ' more characters' : '';
      output.textContent = 'GET ' + asked + '\\n' + answer.status + ' ' + answer.statusText + '\\n\\n' + body.slice(0, 20000) + more;
    } catch (error) {
      output.textContent = 'GET ' + asked + '\\n' + error;
    }
    output.hidden = false;
  };

  const offer = (details) => {
    if (details.querySelector('form') !== null) return;
    const form = make('form', { className: 'try' });
    for (const row of details.querySelectorAll('tbody tr')) {
      const where = row.cells[1].textContent;
      if (where !== 'path' && where !== 'query') continue;
      const input = make('input', { name: row.cells[0].textContent, required: where === 'path' });
      input.dataset.where = where;
      form.append(make('label', {}, input.name + ' ', input));
    }
    const output = make('pre', { hidden: true, tabIndex: 0 });
    output.setAttribute('aria-label', 'Answer');
    output.setAttribute('aria-live', 'polite');
    output.setAttribute('role', 'region');
    form.append(make('button', {}, 'Send'), output);
    form.onsubmit = (event) => {
      event.preventDefault();
      send(details.dataset.get, form, output);
    };
    details.append(make('h4', { textContent: 'Try it' }), form);
  };
  for (const one of all) {
    if (one.dataset.get !== undefined) one.ontoggle = () => offer(one);
  }
})();`;

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only the page's own style sheet and script, which sends requests only to this server. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${digestOf(css)}`,
  `script-src ${digestOf(pageScript)}`,
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/** The description as a page for people. Nothing is loaded later, so that the browser's own search finds everything. */
export function documentationPage(outline: Outline): string {
  const { title, description, base, shared, sections, records, errors } = outline;
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
<p hidden><label for="filter">Find a route or a parameter</label> <input type="search" id="filter" autocomplete="off"> <output id="found" for="filter"></output></p>
<nav aria-label="Contents"><ul>
<li><a href="#log-in">Log in</a></li><li><a href="#everywhere">Everywhere</a></li><li><a href="#errors">Errors</a></li>
${sections.map(({ name }) => html`<li><a href="#${idOf(name)}">${name}</a></li>\n`)}<li><a href="#records">Records</a></li>
</ul></nav>
</header>
<main id="main">
${loginPart(base, sections)}<section aria-labelledby="everywhere"><h2 id="everywhere">Everywhere</h2>
${table(['Parameter', 'In', 'Type', 'Note'], shared)}
</section>
${errorPart(errors)}${sections.map(sectionPart)}<section aria-labelledby="records"><h2 id="records">Records</h2>
<p>The context in which a field is shown is chosen with the parameter <code>context</code>.</p>
${records.map(recordPart)}</section>
</main>
<script>${asHtml(pageScript)}</script>
</body>
</html>
`.markup;
}

function loginPart(base: string, [content]: readonly Section[]): Html {
  const users = `${content?.name}/users/me`;
  return html`<section aria-labelledby="log-in"><h2 id="log-in">Log in</h2>
<p>Requests of a user carry a login and an application password, as HTTP Basic. Users make such passwords at
<code>${users}/application-passwords</code>, operators with the command <code>user password</code>.</p>
${example(`curl -u LOGIN:PASSWORD '${base}/${users}'`)}
<form id="login" hidden><label>Login <input name="name" autocomplete="username"></label>
<label>Application password <input name="password" type="password" autocomplete="off"></label>
<button type="submit">Use</button></form>
<p hidden>Requests that are tried on this page are sent as this user, or anonymously. The page forgets both when it is left.</p>
</section>
`;
}

function errorPart(errors: readonly Problem[]): Html {
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>The body of an error has <code>code</code>, <code>message</code> and <code>data.status</code>. Codes stay the same. Every other code has
the status 400; those of 401 are 403 for a user who is logged in.</p>
<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Codes</th></tr></thead>
<tbody>
${errors.map(
  ({ status, note, codes }) =>
    html`<tr><th scope="row">${status}</th><td>${withCode(note)}</td><td>${codes.map((code) => html`<code>${code}</code> `)}</td></tr>\n`,
)}</tbody>
</table></div>
</section>
`;
}

function example(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function sectionPart({ name, description, entries }: Section): Html {
  return html`<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2>
<p>${description}</p>
${entries.map(entryPart)}</section>
`;
}

function entryPart({ methods, path, summary, parameters, body, answers, refusals, exchange }: OutlineEntry): Html {
  const rows = [...parameters, ...body];
  const tried = methods[0] === 'GET' ? html` data-get="${path}"` : null;
  return html`<details${tried}><summary><h3><code>${methods.join(', ')} ${path}</code></h3> <span>${summary}</span></summary>
<p>Answers ${answers.map(({ status, types, shows }) => html`<strong>${status}</strong> ${shows} (${types.join(', ')}), `)}or <a href="#errors">fails</a> with ${refusals.join(', ')}.</p>
${example(exchange.request)}
${exchange.answer === null ? null : example(exchange.answer)}
${rows.length === 0 ? null : table(['Parameter', 'In', 'Type', 'Note'], rows)}</details>
`;
}

function recordPart({ name, rows }: OutlineTable): Html {
  return html`<details><summary><h3><code>${name}</code></h3></summary>
${table(['Field', 'Contexts', 'Type', 'Note'], rows)}</details>
`;
}

function table(heads: readonly string[], rows: readonly OutlineRow[]): Html {
  return html`<div class="wide" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ name, where, type, note }) =>
    html`<tr><th scope="row"><code>${name}</code></th><td>${where}</td><td>${type}</td><td>${note}</td></tr>\n`,
)}</tbody>
</table></div>
`;
}

function withCode(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function idOf(name: string): string {
  return `in-${name.replaceAll(/\W+/g, '-')}`;
}

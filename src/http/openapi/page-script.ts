/** Script of the description page, which is readable without it: finds routes and sends read requests. */
export const pageScript = `(() => {
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
    document.getElementById('found').textContent = words.length === 0 ? '' : found + ' found';
  };
  filter.oninput = find;
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

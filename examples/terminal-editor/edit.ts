// Edits a post in $EDITOR without overwriting others: `CMS_LOGIN=login:password npx node edit.ts <root of the interface> <id>`.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [root = 'http://localhost:8080/cms-json/', id = ''] = process.argv.slice(2);
const authorization = `Basic ${btoa(process.env['CMS_LOGIN'] ?? '')}`;
const address = `${root}cms/v2/posts/${id}`;
const file = join(mkdtempSync(join(tmpdir(), 'edit-')), `${id}.html`);

/** A text, and by what the server knows that it is the present one. */
interface Version {
  readonly text: string;
  readonly tag: string;
}

async function load(): Promise<Version> {
  const answer = await fetch(`${address}?context=edit&_fields=content`, { headers: { authorization } });
  const body = (await answer.json()) as { message?: string; content?: { raw: string } };
  if (body.content === undefined) throw new Error(body.message);
  return { text: body.content.raw, tag: answer.headers.get('ETag') ?? '' };
}

/** False: somebody else was faster. The key makes it safe to send the same again when the answer was lost. */
async function save(text: string, tag: string): Promise<boolean> {
  const headers = {
    authorization,
    'content-type': 'application/json',
    'if-match': tag,
    'idempotency-key': randomUUID(),
  };
  const answer = await fetch(`${address}?_fields=id`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content: text }),
  });
  if (answer.ok || answer.status === 412) return answer.ok;
  throw new Error(((await answer.json()) as { message: string }).message);
}

function edit(text: string): string {
  writeFileSync(file, text);
  const { status } = spawnSync(`${process.env['EDITOR'] ?? 'vi'} "${file}"`, { shell: true, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the editor failed; your text is in ${file}`);
  return readFileSync(file, 'utf8');
}

let base = await load();
let own = edit(base.text);
while (own !== base.text && !(await save(own, base.tag))) {
  base = await load();
  console.log('Somebody else has changed the post: put both texts together.');
  own = edit(`<<<<<<< yours\n${own}\n=======\n${base.text}\n>>>>>>> theirs\n`);
}
console.log(own === base.text ? 'nothing to save' : 'saved');

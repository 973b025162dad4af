// Application passwords of users. They are made for users of the scenario's own.
import { del, get, head, options, patch, post, put, scenario, STAFF } from '../lib/dsl.mjs';

const USERS = '/cms/v2/users';
const LIST = `${USERS}/{{u}}/application-passwords`;
const user = post('admin', USERS, { username: '{{run}}', email: '{{run}}@example.org', password: 'pw', roles: ['author'] }, { save: { u: 'id' }, pick: 'username' });
const away = del('admin', `${USERS}/{{u}}`, { query: { force: true, reassign: 0 }, cleanup: true });
const give = (name, body, more = {}) => post('admin', LIST, body, { save: { [name]: 'uuid' }, omit: 'password', assert: [['password', '!=', '""']], ...more });

export default [
  scenario('making, reading, renaming, removing', [
    user,
    get('admin', LIST),
    give('one', { name: 'One {{run}}' }),
    give('two', { name: '<b>Two</b>  & "x"', app_id: '11111111-2222-4333-8444-555555555555' }),
    give('three', { name: 'One {{run}}', app_id: '' }),
    get('admin', LIST),
    get('admin', LIST, { query: { context: 'embed' } }),
    get('admin', `${LIST}/{{one}}`),
    get('admin', `${LIST}/{{two}}`, { query: { context: 'edit' } }),
    head('admin', LIST, { bodyToo: false }),
    put('admin', `${LIST}/{{one}}`, { name: 'Renamed {{run}}' }),
    patch('admin', `${LIST}/{{one}}`, { app_id: '11111111-2222-4333-8444-666666666666' }, { pick: 'app_id name' }),
    post('admin', `${LIST}/{{one}}`, {}, { pick: 'name' }),
    del('admin', `${LIST}/{{one}}`),
    del('admin', `${LIST}/{{one}}`),
    get('admin', `${LIST}/{{one}}`),
    del('admin', LIST),
    del('admin', LIST),
    get('admin', LIST),
    away,
  ], { needs: ['create-users'] }),
  scenario('refused values', [
    user,
    post('admin', LIST, {}),
    post('admin', LIST, { name: '' }),
    post('admin', LIST, { name: '   ' }),
    post('admin', LIST, { name: 7 }),
    post('admin', LIST, { name: 'x', app_id: 'no uuid' }),
    give('one', { name: 'n' }, { pick: 'name', omit: '' }),
    put('admin', `${LIST}/{{one}}`, { name: '' }),
    get('admin', LIST, { query: { context: 'everything' } }),
    get('admin', `${LIST}/nothing`),
    put('admin', `${LIST}/nothing`, { name: 'x' }),
    del('admin', `${LIST}/nothing`),
    get('admin', `${USERS}/987654321/application-passwords`),
    put('admin', LIST, { name: 'x' }),
    away,
  ], { needs: ['create-users'] }),
  scenario('rights', [
    user,
    give('one', { name: 'n' }, { pick: 'name', omit: '' }),
    ['editor', 'anonymous'].map((as) => [
      get(as, LIST), post(as, LIST, { name: 'x' }), del(as, LIST),
      get(as, `${LIST}/{{one}}`), put(as, `${LIST}/{{one}}`, { name: 'x' }), del(as, `${LIST}/{{one}}`),
    ]),
    get('subscriber', `${LIST}/nothing`),
    STAFF.map((as) => options(as, LIST, { bodyToo: false })),
    get('anonymous', `${USERS}/me/application-passwords`),
    get('anonymous', `${USERS}/987654321/application-passwords`),
    away,
  ], { needs: ['create-users'] }),
  scenario('the one in use', [
    get('admin', `${USERS}/me/application-passwords/introspect`, { pick: 'app_id', assert: [['uuid', '!=', '""']] }),
    get('subscriber', `${USERS}/{{user.subscriber}}/application-passwords/introspect`, { query: { context: 'embed' }, pick: 'app_id' }),
    get('admin', `${USERS}/{{user.editor}}/application-passwords/introspect`),
    get('anonymous', `${USERS}/me/application-passwords/introspect`),
  ]),
];

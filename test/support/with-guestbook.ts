// Preloaded into a process of the product: adds the two lines of the example in docs/plugins.md.
import { registerHooks } from 'node:module';

const folder = new URL('../http/plugins/guestbook/', import.meta.url).href;
const lines = [
  { file: 'src/domain/plugins/areas.ts', list: 'areas: readonly Area[] = [', name: 'guestbook', from: 'area.ts' },
  {
    file: 'src/http/tables/plugins/registry.ts',
    list: 'namespaces: readonly Namespace[] = [',
    name: 'guestbookV1',
    from: 'routes.ts',
  },
];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const line = lines.find(({ file }) => url.endsWith(file));
    if (line === undefined) return loaded;
    const source = String(loaded.source);
    if (!source.includes(line.list)) throw new Error(`${line.file} has no ${line.list}`);
    const more = `import { ${line.name} } from '${folder}${line.from}';\n`;
    return { ...loaded, source: more + source.replace(line.list, `${line.list} ${line.name},`) };
  },
});

import type { PluginEntry, PluginReader, PluginView } from 'palimpsest/plugin';
import { bundledDesigns } from './bundled.ts';
import type { Design, FullDesign } from './design.ts';

const maxPages = 500;

/** `publicView`: designs show what everybody may see. */
export interface DesignSource {
  readonly model: PluginReader;
  readonly publicView: PluginView;
}

/** All designs of the library: the built-in ones, or the public pages of the site. */
export function designsOf(site: DesignSource, fromPages: boolean): readonly Design[] {
  if (!fromPages) return bundledDesigns;
  const { ids } = site.model.find({ kind: 'page', limit: maxPages });
  return ids.flatMap((id) => designOfPage(site.model.entry(id), site) ?? []);
}

/** The design with an id; null if there is none. */
export function designNamed(designId: string, site: DesignSource, fromPages: boolean): FullDesign | null {
  if (!fromPages) return bundledDesigns.find((design) => design.designId === designId) ?? null;
  const [, id = ''] = /^page-(\d{1,15})$/.exec(designId) ?? [];
  const entry = id === '' ? undefined : site.model.entry(Number(id));
  const design = entry?.kind === 'page' && entry.status === 'publish' ? designOfPage(entry, site) : null;
  return design === null ? null : { ...design, content: site.model.texts(Number(id))?.content ?? '' };
}

function designOfPage(entry: PluginEntry | undefined, { model, publicView: view }: DesignSource): Design | null {
  if (entry === undefined || entry.isProtected) return null;
  const parent = entry.parent === 0 ? undefined : model.entry(entry.parent);
  const category = parent?.status === 'publish' ? view.entry(parent.id)?.title : '';
  return {
    designId: `page-${entry.id}`,
    label: view.entry(entry.id)?.title || 'Untitled',
    description: '',
    category: category || 'Pages',
    image: view.image(entry.image, 'medium')?.url ?? '',
  };
}

import './editor.css';
import '@wordpress/format-library';
import apiFetch from '@wordpress/api-fetch';
import contentStyle from '@wordpress/block-editor/build-style/content.css?inline';
import blockEditorStyle from '@wordpress/block-library/build-style/editor.css?inline';
import blockStyle from '@wordpress/block-library/build-style/style.css?inline';
import componentStyle from '@wordpress/components/build-style/style.css?inline';
import { dispatch } from '@wordpress/data';
import { initializeEditor } from '@wordpress/edit-post';
import { store as preferences } from '@wordpress/preferences';
import canvasStyle from './canvas.css?inline';

interface Item {
  readonly id: number;
  readonly type: string;
  readonly title: { readonly raw: string };
}

/** What the inspector offers for all blocks; what the theme says is added. */
const features = {
  border: { color: true, radius: true, style: true, width: true },
  color: { background: true, custom: true, link: true, text: true },
  spacing: { blockGap: true, margin: true, padding: true, units: ['px', 'em', 'rem', '%', 'vw'] },
  typography: { customFontSize: true, fontStyle: true, fontWeight: true, lineHeight: true, textAlign: true },
};

/** The text is edited in a frame, which has none of the styles of the page. */
const frameStyles = [componentStyle, contentStyle, blockStyle, blockEditorStyle];

/** Opens the block editor on a post or a page. */
export async function openEditor(id: number): Promise<void> {
  const [item, blocks, layout] = await Promise.all([read(id), blockNames(), themeLayout()]);
  const settings = {
    // The store shows other blocks as they were saved, but does not know their attributes.
    allowedBlockTypes: blocks,
    __unstableResolvedAssets: { styles: `<style>${frameStyles.join('\n')}</style>`, scripts: '' },
    styles: [{ css: canvasStyle }],
    supportsLayout: true,
    __experimentalFeatures: { ...features, layout },
    titlePlaceholder: 'Add title',
    bodyPlaceholder: 'Type / to choose a block',
    autosaveInterval: 30,
    localAutosaveInterval: 5,
  };
  dispatch(preferences).set('core/edit-post', 'welcomeGuide', false);
  initializeEditor('app', item.type, id, settings, item.title.raw === 'Untitled' ? { title: '' } : {});
}

/** The address of the editor does not say whether it is a post or a page. */
async function read(id: number): Promise<Item> {
  const query = '_fields=id,type,title&context=edit';
  return apiFetch<Item>({ path: `/wp/v2/posts/${id}?${query}` }).catch(() =>
    apiFetch<Item>({ path: `/wp/v2/pages/${id}?${query}` }),
  );
}

async function blockNames(): Promise<readonly string[]> {
  const types = await apiFetch<{ name: string }[]>({ path: '/wp/v2/block-types?_fields=name' });
  return types.map(({ name }) => name);
}

/** How wide the theme of the site shows content. */
async function themeLayout(): Promise<object> {
  const [theme] = await apiFetch<{ stylesheet: string }[]>({ path: '/wp/v2/themes?status=active' });
  const path = `/wp/v2/global-styles/themes/${theme?.stylesheet}`;
  const { settings } = await apiFetch<{ settings: { layout?: object } }>({ path });
  return settings.layout ?? {};
}

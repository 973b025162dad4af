import { flagAt, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import { imageFile } from '../../media/image.ts';
import { isPrivate } from '../../rights.ts';
import type { Make } from '../types.ts';

export const siteTitle: Make = ({ name, attributes }, { rendering: { model } }) => {
  const { name: title, url } = model.site();
  if (title === '') return '';
  const target = escapeAttribute(textAt(attributes, 'linkTarget') || '_self');
  const text = escapeAttribute(title);
  const isLink = flagAt(attributes, 'isLink') ?? true;
  const shown = isLink ? `<a href="${escapeAddress(url)}" target="${target}" rel="home">${text}</a>` : text;
  const element = elementOf(attributes, 1);
  return `<${element} ${wrapperAttributes(name, attributes)}>${shown}</${element}>`;
};

export const siteTagline: Make = ({ name, attributes }, { rendering: { model } }) => {
  const { description } = model.site();
  if (description === '') return '';
  const element = elementOf(attributes, 0);
  return `<${element} ${wrapperAttributes(name, attributes)}>${escapeAttribute(description)}</${element}>`;
};

export const siteLogo: Make = ({ name, attributes }, { rendering: { model } }) => {
  const { siteLogo: logo, name: site, url } = model.site();
  const row = logo === 0 ? undefined : model.media(logo);
  const file = row === undefined || isPrivate(row) ? null : imageFile(row, model, 'full');
  if (row === undefined || file === null) return '';
  const width = Math.trunc(numberAt(attributes, 'width') ?? 0);
  const size = width > 0 ? { width, height: Math.trunc(width / (file.width / file.height)) } : file;
  const alt = row.altText === '' ? site : row.altText;
  const image =
    `<img width="${size.width}" height="${size.height}" src="${escapeAddress(file.url)}" class="custom-logo"` +
    ` alt="${escapeAttribute(alt)}" decoding="async" />`;
  const wrapper = wrapperAttributes(name, attributes, { classes: width > 0 ? [] : ['is-default-size'] });
  return `<div ${wrapper}>${(flagAt(attributes, 'isLink') ?? true) ? linked(image, attributes, url) : image}</div>`;
};

function linked(image: string, attributes: JsonMap, url: string): string {
  const leads = `href="${escapeAddress(`${url}/`)}" class="custom-logo-link" rel="home"`;
  const isElsewhere = textAt(attributes, 'linkTarget') === '_blank';
  const more = isElsewhere ? 'aria-label="(Home link, opens in a new tab)" target="_blank" ' : '';
  return `<a ${more}${leads}>${image}</a>`;
}

/** A paragraph for level 0. */
function elementOf(attributes: JsonMap, usual: number): string {
  const level = Math.trunc(numberAt(attributes, 'level') ?? usual);
  return level === 0 ? 'p' : `h${level}`;
}

export const loginout: Make = ({ name, attributes }, { rendering: { model, viewer } }) => {
  const isKnown = viewer.id !== 0;
  const wrapper = wrapperAttributes(name, attributes, { classes: [isKnown ? 'logged-in' : 'logged-out'] });
  const address = escapeAddress(`${model.site().storeUrl}/cms-audit/`);
  return `<div ${wrapper}><a rel="nofollow" href="${address}">${isKnown ? 'Log out' : 'Log in'}</a></div>`;
};

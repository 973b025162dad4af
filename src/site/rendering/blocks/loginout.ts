import { escapeAddress } from '#text/escape-address.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import type { Make } from '../types.ts';

export const loginout: Make = ({ name, attributes }, { rendering: { model, viewer } }) => {
  const isKnown = viewer.id !== 0;
  const wrapper = wrapperAttributes(name, attributes, { classes: [isKnown ? 'logged-in' : 'logged-out'] });
  const address = escapeAddress(`${model.site().url}/cms-audit/`);
  return `<div ${wrapper}><a rel="nofollow" href="${address}">${isKnown ? 'Log out' : 'Log in'}</a></div>`;
};

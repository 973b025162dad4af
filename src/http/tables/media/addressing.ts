import { z } from 'zod';
import { signImage } from '#commands/image-addresses.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { imageFits, imageFormats, longestSide, viewIn, viewQuery } from '#domain/media/view.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { shownFile, sourceUrl } from '#site/addresses/items.ts';
import type { Answer, Call, Route } from '../../engine/types.ts';
import { idArg } from '../entries/args.ts';
import { findMedia, mayShowMedia, mayUploadFiles } from './permissions.ts';

const side = (description: string) => ({ schema: z.int().min(1).max(longestSide).describe(description) });

/** Signs addresses of images in any size (docs/clients.md, "Images by address"). */
export const imageAddressRoute: Route<Model, Session> = {
  namespace: CONTENT,
  pattern: `/${CONTENT}/media/(?P<id>[\\d]+)/image`,
  endpoints: [
    {
      methods: ['POST'],
      summary: 'Sign an address of an image in a size and format',
      answers: z.object({ url: z.url().describe('The address, with its signature.') }),
      args: {
        id: idArg,
        w: side('Maximum width in pixels.'),
        h: side('Maximum height in pixels.'),
        fit: { schema: z.enum(imageFits).default('inside').describe('How the image fills its box.') },
        fm: { schema: z.enum(Object.keys(imageFormats)).describe('Format. Default: that of the image.') },
      },
      permission: (call) =>
        mayShowMedia(call) ??
        (mayUploadFiles(call.viewer)
          ? null
          : refuse('rest_cannot_edit_image', 'Sorry, you are not allowed to upload media on this site.')),
      command: signedAddress,
    },
  ],
};

function signedAddress(call: Call<Session>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  if (row.image === null) return refuse('rest_unknown_attachment', 'Unable to get meta information for file.');
  const asked = ['w', 'h', 'fit', 'fm'].map((name) => [name, call.params[name]] as const);
  const given = asked.filter(([, value]) => value !== undefined && value !== null);
  const view = viewIn(new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])));
  if (view === null || isRefusal(view)) return view ?? refuse('rest_unknown_attachment', 'It is the image itself.');
  const query = viewQuery(view);
  const signature = signImage(call.model, `${row.folder}/${shownFile(row)}?${query}`);
  const url = `${sourceUrl(row, call.model)}?${query}${query === '' ? '' : '&'}s=${signature}`;
  return { body: { kind: 'json', value: { url } } };
}

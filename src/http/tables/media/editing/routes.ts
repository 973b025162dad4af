import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import type { Uploads } from '#media/uploads.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import type { Route } from '../../../engine/types.ts';
import { idArg } from '../../entries/args.ts';
import { mayEditImage, mayUpdateMedia } from '../permissions.ts';
import { mediaSchema } from '../schema.ts';
import { editArgs } from './args.ts';
import { beginEdit } from './edit.ts';
import { beginPostProcess } from './post-process.ts';

const item = `/${CONTENT}/media/(?P<id>[\\d]+)`;
const nobody = () => false;

export function mediaEditingRoutes(uploads: Uploads): readonly Route<Model, Session>[] {
  return [
    {
      ...{ namespace: CONTENT, pattern: `${item}/post-process`, schema: mediaSchema },
      endpoints: [
        {
          ...{ methods: ['POST'], summary: 'Make the sizes of an image that are missing', status: 200 },
          args: {
            id: idArg,
            action: { schema: z.enum(['create-image-subsizes']), required: true },
          },
          permission: mayUpdateMedia,
          takesFrom: nobody,
          upload: () => beginPostProcess(uploads),
        },
      ],
    },
    {
      ...{ namespace: CONTENT, pattern: `${item}/edit`, schema: mediaSchema },
      endpoints: [
        {
          ...{ methods: ['POST'], summary: 'Make a new item by editing an image', status: 201 },
          args: editArgs(),
          permission: mayEditImage,
          takesFrom: nobody,
          upload: () => beginEdit(uploads),
        },
      ],
    },
  ];
}

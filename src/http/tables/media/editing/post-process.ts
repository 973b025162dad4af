import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { MediaSize } from '#domain/media/state.ts';
import type { Uploads, UploadWork } from '#media/uploads.ts';
import type { Model } from '#projections/reading/model.ts';
import { takeNoFile } from '../../../engine/no-file.ts';
import type { Answer, Call, Upload } from '../../../engine/types.ts';
import { findMedia } from '../find.ts';
import { shownMedia } from '../writes.ts';

/** Begins to make the image sizes that an upload skipped (interface behaviour, section 22). */
export function beginPostProcess(uploads: Uploads): Upload<Model, Session> {
  return new Finishing(uploads.open());
}

class Finishing implements Upload<Model, Session> {
  readonly take = takeNoFile;
  readonly #work: UploadWork;
  #made: readonly MediaSize[] = [];

  constructor(work: UploadWork) {
    this.#work = work;
  }

  async prepare(call: Call<Model>): Promise<Refusal | null> {
    const row = findMedia(call);
    if (isRefusal(row)) return row;
    if (row.missing.length > 0) this.#made = await this.#work.size(row.hash, row.type, row.missing);
    return null;
  }

  readonly command = (call: Call<Session>): Answer | Refusal => {
    const row = findMedia(call);
    if (isRefusal(row)) return row;
    media.addSizes(call.model, row.id, this.#made);
    return shownMedia(call, row.id);
  };

  digest(): string {
    return '';
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }
}

import { AppError } from '@swim/platform';
import type { BusLink } from './calls/bus-link.js';

/** Documents that are answered as they are. */
export interface Documents {
  openapi: Buffer;
  docs: Buffer;
}

/** What the gateway answers by itself, without a key. */
export class Pages {
  constructor(
    private readonly documents: Documents,
    private readonly link: BusLink,
  ) {}

  get openapi(): Buffer {
    return this.documents.openapi;
  }

  get docs(): Buffer {
    return this.documents.docs;
  }

  /** `data` of a health answer; throws `unavailable` when no request could be served. */
  health(): Buffer {
    if (!this.link.isUp) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    return Buffer.from('{"status":"ok"}');
  }
}

import type { EventExamples } from './events-view.js';

/** A method of the TypeScript client. */
export interface ClientCall {
  /** `bookings.create` */
  readonly method: string;
  readonly isList: boolean;
}

/** A guide, rendered from its Markdown in `docs/guides`. */
export interface Guide {
  /** Its place below `/docs`. */
  readonly slug: string;
  readonly title: string;
  readonly html: string;
}

/** The content that is generated beside the OpenAPI document: guides, the client's method for each operation, an example of each event. */
export interface DocsContent {
  readonly guides: readonly Guide[];
  readonly calls: Readonly<Record<string, ClientCall>>;
  readonly events: EventExamples;
}

import { Api } from './api.js';
import { EventFeed } from './events.js';
import { Resources } from './generated/resources.js';
import { type ClientOptions, Transport } from './transport.js';

/**
 * A client of the API: `new Swim({ apiKey, baseUrl })`. Its members are the kinds of objects, whose methods are the operations
 * of the API: `client.bookings.create(…)`.
 */
export class Swim extends Resources {
  override readonly events: EventFeed;

  constructor(options: ClientOptions) {
    const api = new Api(new Transport(options));
    super(api);
    this.events = new EventFeed(api);
  }
}

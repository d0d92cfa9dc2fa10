import { type CalendarFeed, type Environment, type InputOf, readMemberCalendar } from '@swim/contracts';
import { AppError, parseFeedToken, Recent, sharedClock } from '@swim/platform';
import { publicContext } from '../calls/public-requests.js';
import type { Exchange } from '../exchange.js';
import { readQuery } from '../requests/request-target.js';
import type { Endpoint } from '../router.js';

type FeedQuery = Pick<InputOf<typeof readMemberCalendar>, 'token' | 'known_tags'>;

const CACHING = 'private, no-cache';
// The URL contains the token: no page that it leads to may see it, and no search engine may list it.
const HEADERS = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'];
const MOST_TAGS = 20;
const MOST_KNOWN = 10_000;
const TAG = /^(?:W\/)?"([\w-]{1,64})"$/;

/**
 * Answers a calendar feed, by the token of its URL. A missing, malformed or wrong token is 404, as is a feed that does not
 * exist. Each token has the limits of an account; wrong ones count against the network.
 */
export class CalendarFeeds {
  /** Digests of tokens that were right: only these have counters, so that guesses do not fill their storage. */
  private readonly right = new Recent<true>(MOST_KNOWN);

  /** `pinnedEnvironment`: the only one whose tokens are right here; undefined for both. */
  constructor(private readonly pinnedEnvironment: Environment | undefined) {}

  async answer(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void> {
    // Limits and deadlines are instants of the shared clock.
    if (!sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    const presented = parseFeedToken(readQuery(exchange.target.query).get('token') ?? '');
    try {
      const isServed = !this.pinnedEnvironment || presented?.env === this.pinnedEnvironment;
      if (!presented || !isServed) throw new AppError('resource_not_found');
      await this.serve(exchange, endpoint, { ...presented, ownerId: values[0]! });
    } catch (error) {
      if (error instanceof AppError && error.reason === 'resource_not_found')
        exchange.dependencies.linkAttempts.note(exchange.network);
      throw error;
    }
  }

  private async serve(
    exchange: Exchange,
    { operation, params }: Endpoint,
    { env, digest, ownerId }: { env: Environment; digest: string; ownerId: string },
  ): Promise<void> {
    const wasRight = this.right.get(digest) === true;
    if (wasRight) await admit(exchange, env, digest);
    const query: FeedQuery = { token: digest, known_tags: knownTags(exchange) };
    const input = { [params[0]!]: ownerId, ...query };
    if (!operation.input.safeParse(input).success) throw new AppError('resource_not_found');
    const context = publicContext(exchange, operation, env);
    const { answer, error } = await exchange.dependencies.calls.request(operation, JSON.stringify(input), context);
    if (error) throw AppError.fromBody(error);
    this.right.set(digest, true);
    if (!wasRight) await admit(exchange, env, digest);
    const { tag, text } = JSON.parse(Buffer.from(answer.body).toString()) as CalendarFeed;
    const headers = ['ETag', `"${tag}"`, ...HEADERS];
    if (text === null) exchange.serveUnchanged(CACHING, headers);
    else exchange.serve('text/calendar; charset=utf-8', Buffer.from(text), CACHING, headers);
  }
}

async function admit({ dependencies }: Exchange, env: Environment, digest: string): Promise<void> {
  const { denied } = await dependencies.limiter.admit({ env, accountId: `feed-${digest}` });
  if (denied) throw denied;
}

/** The tags of `If-None-Match` (RFC 9110 section 13.1.2) that may be ours. */
const knownTags = ({ request }: Exchange): string[] =>
  (request.headers['if-none-match'] ?? '').split(',', MOST_TAGS).flatMap((each) => TAG.exec(each.trim())?.[1] ?? []);

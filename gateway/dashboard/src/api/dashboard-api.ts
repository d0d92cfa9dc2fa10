import { ApiError, ConnectionError, UnexpectedAnswerError } from '@swim/sdk';
import { OWN_HEADER, send } from './client.ts';

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details: { reason: string } };
  meta?: { request_id: string };
  pagination?: { has_more: boolean; next_cursor: string | null };
}

/** One page of a list of the dashboard's own objects. */
export interface DashboardPage<T> {
  readonly data: T[];
  readonly nextCursor: string | null;
}

async function request(method: string, path: string, body?: unknown): Promise<Envelope> {
  const headers = {
    accept: 'application/json',
    ...OWN_HEADER,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await send(`/dashboard/api${path}`, init).catch((error: unknown) => {
    throw new ConnectionError('The connection failed.', { cause: error });
  });
  const text = await response.text();
  const envelope = text === '' ? {} : parsed(text, response.status);
  if (response.ok) return envelope;
  if (!envelope.error) throw new UnexpectedAnswerError('The answer is not one of the API.', response.status);
  const seconds = Number(response.headers.get('retry-after'));
  const requestId = envelope.meta?.request_id ?? null;
  throw new ApiError({ ...envelope.error, status: response.status, requestId, retryAfterSeconds: seconds || null });
}

function parsed(text: string, status: number): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    throw new UnexpectedAnswerError('The answer is not JSON.', status);
  }
}

/** The routes of users and sessions, below `/dashboard/api`. Each throws an ApiError, or a ConnectionError without an answer. */
export const dashboardApi = {
  get: async <T>(path: string): Promise<T> => (await request('GET', path)).data as T,
  list: async <T>(path: string): Promise<DashboardPage<T>> => {
    const { data, pagination } = await request('GET', path);
    return { data: data as T[], nextCursor: pagination?.next_cursor ?? null };
  },
  post: async <T>(path: string, body: object = {}): Promise<T> => (await request('POST', path, body)).data as T,
  patch: async <T>(path: string, body: object): Promise<T> => (await request('PATCH', path, body)).data as T,
  remove: async <T>(path: string, body?: object): Promise<T> => (await request('DELETE', path, body)).data as T,
};

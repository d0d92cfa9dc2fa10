export type { Answer, DeleteOptions, WriteOptions } from './api.js';
export { Swim } from './client.js';
export {
  ApiError,
  AuthenticationError,
  AuthorizationError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  NotFoundError,
  RateLimitError,
  ServerError,
  SwimError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.js';
export { EventsTruncatedError, type ListenOptions } from './events.js';
export type * from './generated/models.js';
export type { List, Page } from './list.js';
export type { ApiAnswer, ClientOptions, ReceivedResponse, RequestOptions, SentRequest } from './transport.js';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookRejection,
  WebhookVerificationError,
} from './webhooks.js';

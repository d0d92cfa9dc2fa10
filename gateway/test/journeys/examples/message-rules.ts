import { type ErrorBody, WHOLE_BODY } from '@swim/contracts';

/** What shows a reader how the request succeeds, or what is allowed. */
const GUIDANCE =
  /\b(?:must|may|can|only|at most|at least|first|until|once|before|instead|choose|send|use|retry|read|check|cancel|change|narrow|name|enable|make|remove|ask|book|leave|take|pay|restore|see|contains?|needs?|free|suggestions|refund|another|begins?|request|roll|priced)\b/i;
/** Phrases that state a problem and leave its solution to the reader. */
const RIDDLES =
  /\b(?:is invalid|not valid|went wrong|failed validation|bad request|illegal|unexpected|cannot be processed)\b/i;
const SENTENCE = /^[`A-Za-z0-9"].*[.?]$/s;

function faultsOf(message: string): string[] {
  return [
    ...(SENTENCE.test(message) ? [] : ['is not a whole sentence']),
    ...(GUIDANCE.test(message) ? [] : ['does not say what is allowed']),
    ...(RIDDLES.test(message) ? ['states a problem only'] : []),
  ];
}

/** Whether a message names a field: as a path, or by its last name. */
const names = (message: string, field: string): boolean =>
  field === WHOLE_BODY ||
  field
    .split(/[.[\]]/)
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .some((part) => message.includes(part));

/** What the message of an error lacks; empty when it says how to correct the request. */
export function messageFaults({ code, message, details }: ErrorBody): string[] {
  const faults = faultsOf(message);
  if (code !== 'VALIDATION_ERROR') return faults;
  const { field = '', errors = [] } = details;
  if (field === '') faults.push('has no field');
  if (errors.length === 0) faults.push('has no errors');
  for (const each of errors) {
    faults.push(...faultsOf(each.message).map((fault) => `${each.field}: ${fault}`));
    if (!names(each.message, each.field)) faults.push(`${each.field}: does not name the field`);
  }
  return faults;
}

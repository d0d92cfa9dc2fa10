import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { useLanguage } from '../texts/language.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'isPending'> {
  readonly children: ReactNode;
  /** `primary` for the one action that a page or dialog is for; `secondary` by default. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly small?: boolean;
  /** Whether what it has started is under way. */
  readonly isPending?: boolean;
}

/** A pending button keeps the focus and does nothing. */
const PENDING = { 'aria-disabled': true, 'data-pending': true, type: 'button', onPress: () => {} } as const;

/**
 * A button. While it is pending it keeps its size and shows that work is under way. Not with React Aria's own `isPending`: that
 * announces by a reference to the button, which nobody finds once its dialog has closed.
 */
export function Button({ kind = 'secondary', small = false, isPending = false, children, ...props }: ButtonProps) {
  const { t } = useLanguage();
  return (
    <>
      <AriaButton
        {...props}
        {...(isPending && PENDING)}
        className={`button button-${kind}${small ? ' button-small' : ''}`}
      >
        <span className="button-text">{children}</span>
        {isPending && (
          <span className="button-pending" aria-hidden="true">
            <span className="spinner" />
          </span>
        )}
      </AriaButton>
      <span className="visually-hidden" role="status">
        {isPending && t('state.working')}
      </span>
    </>
  );
}

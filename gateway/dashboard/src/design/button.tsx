import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { useLanguage } from '../texts/language.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly children: ReactNode;
  /** `primary` for the one action that a page or dialog is for; `secondary` by default. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly small?: boolean;
}

/** A button. While it is pending it keeps its size and shows that work is under way. */
export function Button({ kind = 'secondary', small = false, children, ...props }: ButtonProps) {
  const { t } = useLanguage();
  return (
    <AriaButton {...props} className={`button button-${kind}${small ? ' button-small' : ''}`}>
      {({ isPending }) => (
        <>
          <span className="button-text">{children}</span>
          {isPending && (
            <span className="button-pending">
              <span className="spinner" aria-hidden="true" />
              <span className="visually-hidden">{t('state.working')}</span>
            </span>
          )}
        </>
      )}
    </AriaButton>
  );
}

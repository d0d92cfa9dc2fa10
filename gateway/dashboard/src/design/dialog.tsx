import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useLanguage } from '../texts/language.tsx';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Whether a click beside the dialog closes it. A dialog with a secret that is shown once must stay. */
  readonly isDismissable?: boolean;
  readonly wide?: boolean;
}

/** A dialog above the page. It holds the focus, and gives it back when it closes. */
export function Dialog({ title, isOpen, onClose, children, isDismissable = true, wide = false }: DialogProps) {
  // A click beside a dialog whose form has input must not discard the input.
  const [isTyped, setTyped] = useState(false);
  const mayDismiss = isDismissable && !isTyped;
  const onOpenChange = (open: boolean) => {
    if (!open) onClose();
  };
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={mayDismiss}
      isKeyboardDismissDisabled={!mayDismiss}
    >
      <Modal className={`modal${wide ? ' modal-wide' : ''}`}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2} className="dialog-title">
            {title}
          </Heading>
          <div className="stack" onInput={() => setTyped(true)}>
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ActionsProps {
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}

/** The buttons at the end of a dialog: the one that does it last, as readers expect. */
export function DialogActions({ onCancel, children }: ActionsProps) {
  const { t } = useLanguage();
  return (
    <div className="dialog-actions">
      {onCancel && <Button onPress={onCancel}>{t('action.cancel')}</Button>}
      {children}
    </div>
  );
}

// The visitor has clicked the link of a mail that ends reminders: that is enough.
document.querySelector<HTMLFormElement>('[data-end]')?.submit()

// The visitor has clicked the link of a message that ends reminders or an alert: that is enough.
document.querySelector<HTMLFormElement>('[data-end]')?.submit()

/** Leaves the product for another address: an app on the phone, or a broker's page. */
export const leaveTo = (address: string) => window.location.assign(address)

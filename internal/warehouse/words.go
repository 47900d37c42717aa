package warehouse

import "strings"

// The words that names in the generated warehouse are made of.
var (
	subjects = strings.Fields(`account agent asset audit batch benefit bill booking branch budget campaign carrier case channel claim
client consent contact container contract cost course crew currency customer damage deal delivery department deposit device discount
dispute document driver employee engine event expense facility fleet flight forecast fund gateway grade guest incident inspection
instrument inventory invoice item journey label lead lease ledger license loan location lot machine maintenance market material meeting
member merchant message meter milestone mission network note offer office order outlet owner package parcel part partner patient payment
payroll permit plan plant policy position premium price procedure product project promotion property provider purchase quality quota
quote rate receipt refund region rental repair report request reservation resource return reward risk role route salary sample schedule
seat sensor service session shelf shift shipment site skill station stock store student supplier survey task tax team tenant terminal
territory test ticket tool tour trade train training transfer treatment trip unit usage vehicle vendor visit voucher warehouse
warranty waste wire work zone`)
	parts    = strings.Fields(`header line detail history summary snapshot archive link type status balance attribute note allocation`)
	measures = strings.Fields(`amount quantity total price weight height width volume duration distance score rating balance discount tax
fee margin capacity share count limit level speed temperature pressure`)
	labels = strings.Fields(`name code title status category city country region comment brand colour grade segment channel language
currency reason method phase reference`)
	moments   = strings.Fields(`created_at updated_at started_on ended_on due_date paid_on shipped_on valid_from valid_to closed_at`)
	domains   = strings.Fields(`sales finance hr logistics care retail energy travel legal risk`)
	towns     = strings.Fields(`Berlin Paris Lisbon Madrid Vienna Warsaw Oslo Dublin Athens Prague Riga Tallinn Sofia Zagreb Bern Turin`)
	syllables = strings.Fields(`bar cel dor fin gal hem jor kal lan mir nov pel qua ros sab tol ur ven wes xan yor zim bel cor`)
)

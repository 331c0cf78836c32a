/** The subjects of tables in a generated warehouse. Each of the ten areas has 24 things of its own, and six things belong to all areas. */

export const sharedThings = "customer product contract employee invoice supplier".split(" ");

export const things: Readonly<Record<string, readonly string[]>> = {
  sales:
    "quote lead campaign discount coupon basket wishlist pitch prospect territory commission rebate bundle promotion referral segment touchpoint forecast opportunity visitor voucher pricelist storefront reseller".split(
      " ",
    ),
  stock:
    "bin shelf pallet crate batch lot recount transfer reservation picklist replenishment barcode warehouse aisle carton scrap stocktake reorder container consignment kitting putaway label tote".split(
      " ",
    ),
  payroll:
    "payslip wage bonus deduction allowance pension timesheet overtime absence holiday shift grade benefit garnishment expense reimbursement taxcode payrun advance severance headcount vacancy applicant interview".split(
      " ",
    ),
  shipping:
    "parcel route driver truck dock manifest waybill carrier port vessel voyage customs tariff freight depot delivery pickup courier lane axle seal trailer berth tracking".split(
      " ",
    ),
  claims:
    "policy claim adjuster premium peril endorsement reserve recovery witness damage estimate settlement insured beneficiary broker treaty deductible exclusion inspection salvage subrogation appeal liability coverage".split(
      " ",
    ),
  ledger:
    "account journal posting voucherline currency budget accrual reconciliation statement bank cheque deposit withdrawal asset depreciation costcentre consolidation entity fiscal period writeoff dunning mandate remittance".split(
      " ",
    ),
  fleet:
    "vehicle engine tyre refuelling odometer repair mechanic part garage lease fine accident permitcard toll fuelcard telematics geofence maintenance recall warranty battery charger registration plate".split(
      " ",
    ),
  clinic:
    "patient ward visit dose diagnosis prescription nurse physician allergy vaccine specimen assay referralnote admission discharge theatre implant symptom procedure bed therapy consent radiograph vitals".split(
      " ",
    ),
  permits:
    "application hearing parcelplot zoning inspectionvisit violation fee licence applicantfirm architect blueprint easement parcelmap objection notice councillor ordinance variance bond occupancy demolition heritage survey boundary".split(
      " ",
    ),
  polls:
    "questionnaire respondent answer panel interviewer quota sampleframe wave codebook item scale incentive invitation reminder translation weight stratum household cohort dropout diary consentform topic response".split(
      " ",
    ),
};

export const kinds = ["", "header", "detail", "history", "plan", "type", "event", "note", "target"];
